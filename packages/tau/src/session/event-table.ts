// The table of events: one row for each type that a session tells by itself, complete by the compiler's
// word; features register theirs. The reference for RPC clients, what the log
// keeps of events and what people are shown of them all follow from it.

import { SLOW_HOOK_MS } from "@tau/agent/hook-calls";
import type { KeptEvent } from "./entry.ts";
import { keeping, type EventRow } from "./event-row.ts";
import { note, type OwnRunBlock, type ShownPart } from "./projection/block.ts";
import { describeHookError, type HookErrorNote } from "./projection/describe-hook-error.ts";
import { nameSlowHook } from "./projection/name-slow-hook.ts";
import { describeLimit } from "./projection/describe-limit.ts";
import { describeRecovery } from "./projection/describe-recovery.ts";
import { hasWords } from "./projection/has-words.ts";
import { isSound } from "./projection/sound-part.ts";
import type { BuiltInEvent, BuiltInEventMap } from "./session-event.ts";

type EventOf<Type extends string> = Extract<BuiltInEvent, { type: Type }>;

type EventTable = { readonly [Type in BuiltInEvent["type"]]: EventRow<EventOf<Type>> };

/** What a type's event says beyond its type. */
type Told<Type extends keyof BuiltInEventMap> = BuiltInEventMap[Type];

/** Parts of one reply stand together; a note comes between two that broke off. */
const BROKEN_OFF = "broken off";

export const EVENT_TABLE: EventTable = {
  agent_start: { docs: "a run begins" },
  agent_end: {
    docs: "a run has ended: `end` has the `reason`, and the limit that ended it",
    kept: keeping(
      // Of a run that failed, the reply says so; of one that is done there is nothing to say.
      ({ end }: EventOf<"agent_end">) =>
        end.reason === "aborted" || end.reason === "limit" ? { end } : undefined,
      ({ end }) =>
        end.reason === "limit"
          ? [note(`${capital(describeLimit(end))}.`, "error")]
          : [note("Stopped.")],
    ),
  },
  turn_start: { docs: "a turn begins: a model call and the tool calls in its reply" },
  turn_end: { docs: "a turn has ended: its `message` and the `results`" },
  message_start: { docs: "a reply begins" },
  message_update: { docs: "a reply is streaming: `event` has the delta" },
  message_end: { docs: "a message has been added to the session" },
  mail_delivered: { docs: "queued messages have been delivered" },
  reply_broken_off: {
    docs: "what was streamed (`said`) of a reply that was interrupted; `reply_discarded` follows",
    kept: keeping(
      ({ type: _type, ...rest }: EventOf<"reply_broken_off">) => rest,
      ({ said, model }) => said.map((part) => ({ ...part, model, reply: BROKEN_OFF })),
    ),
  },
  reply_discarded: {
    docs: "a reply was discarded: ignore what was streamed of it",
    kept: keeping(
      ({ message }: EventOf<"reply_discarded">) => (hasWords(message) ? {} : undefined),
      () => [note("The answer was interrupted and is being retried.")],
    ),
  },
  auto_retry_start: {
    docs: "a model call failed and is retried: with the same account, another account, another model, or without what was refused",
    kept: keeping(
      // Nobody waits for a title: what is done to get one is not news.
      ({ type: _type, ...rest }: EventOf<"auto_retry_start">) => (rest.isQuiet ? undefined : rest),
      (kept) => {
        const line = describeRecovery({ type: "auto_retry_start", ...kept });
        return line === undefined ? [] : [note(line, "warning")];
      },
    ),
  },
  auto_retry_end: { docs: "the retries have ended; `success` says whether one worked" },
  hook_error: {
    docs: "a hook of a built-in feature or an extension failed",
    kept: keeping(
      (event: EventOf<"hook_error">): HookErrorNote & { behaviour: string; hook: string } => ({
        behaviour: event.behaviour,
        hook: event.hook,
        ...describeHookError(event),
      }),
      ({ text, tone }) => [note(text, tone)],
    ),
  },
  hook_slow: {
    docs: "an extension, or a command hook (`command`), keeps the others waiting: `behaviour`, `hook`, `waitedMs`; told again every 2 s",
    kept: keeping(
      // Once is enough to know who it was.
      ({ behaviour, hook, command, waitedMs }: EventOf<"hook_slow">) =>
        waitedMs < 2 * SLOW_HOOK_MS ? { behaviour, hook, command } : undefined,
      (slow) => [note(`Waiting for ${nameSlowHook(slow)}; Esc stops.`, "warning")],
    ),
  },
  tool_execution_start: { docs: "a tool call begins" },
  tool_execution_update: {
    docs: "output of a tool since the last update, or (`replaces`) instead of it",
  },
  tool_execution_end: {
    docs: "a tool call has ended: `result`, `details`, `durationMs`, and `unasked` if it was refused only because nobody could be asked",
  },
  title_changed: { docs: "the title has changed" },
  model_changed: { docs: "the model or the thinking level has changed" },
  queue_changed: { docs: "the queue has changed: the messages in it" },
  model_call: {
    docs: "a model call outside the conversation: `purpose`, `model`, `usage`, `costUsd`, `requests`, `outcome`",
  },
  answer_stands: {
    docs: "the last reply is an answer, although the run continues",
  },
  command_start: {
    docs: "a slash command begins: its `name` and the `line` as it was typed",
    kept: keeping(
      ({ name, line }: EventOf<"command_start">) => ({ name, line }),
      ({ line }) => [{ kind: "command", line }],
    ),
  },
  command_output: {
    docs: "a slash command has ended, or was refused (`isError`): its `name` and its output, `text`",
    kept: keeping(
      ({ name, text, isError }: EventOf<"command_output">) =>
        text === "" ? undefined : { name, text, isError },
      ({ text, isError }) => [note(text, isError ? "error" : "plain")],
    ),
  },
  own_run_start: { docs: "a shell command or a code cell of the user begins" },
  own_run_update: { docs: "its output since the last update" },
  own_run_end: {
    docs: "it has ended: `content`, `exitCode`, `durationMs`",
    kept: keeping(({ type: _type, ...rest }: EventOf<"own_run_end">) => rest, showOwnRun),
  },
  session_changed: { docs: "the current session has changed" },
  position_changed: {
    docs: "the position in the tree has changed; `inRun`: by the run itself, which goes on there",
  },
};

const rows = new Map<string, EventRow<never>>(Object.entries(EVENT_TABLE));
/** Whose the rows are, by type. */
const features = new Map<string, string>();

/** Of features: how events that they declare are documented, kept and shown. */
export type EventRows = Readonly<Record<string, EventRow<never>>>;

/**
 * From now on, in every session of the process, until what is returned is called: rows are constants, and a session that was written
 * with a feature is shown with its rows whether the feature is on or not.
 */
export function registerEvents(more: EventRows, feature?: string): () => void {
  for (const [type, row] of Object.entries(more)) {
    rows.set(type, row);
    if (feature !== undefined) features.set(type, feature);
  }
  return () => Object.keys(more).forEach((type) => rows.delete(type) && features.delete(type));
}

/** The feature that tells events of this type; undefined if it is one of Tau's own. */
export function featureOf(type: string): string | undefined {
  return features.get(type);
}

/** In the order in which they were put there. */
export function eventRows(): readonly [type: string, row: EventRow<never>][] {
  return [...rows];
}

/** What the log keeps of an event; undefined if nothing, or if it cannot be kept. */
export function keepEvent<E extends { type: string }>(event: E): KeptEvent | undefined {
  return tryToKeep(event).form;
}

/** `failure`: why it cannot be kept, which is its feature's doing. */
export function tryToKeep<E extends { type: string }>(
  event: E,
): { form?: KeptEvent; failure?: unknown } {
  const row = rows.get(event.type) as EventRow<E> | undefined;
  try {
    const kept = row?.kept?.keep(event);
    if (!kept) return {};
    const form = { type: event.type, ...kept };
    // What the log cannot write would be in the way of everything after it.
    JSON.stringify(form);
    return { form };
  } catch (failure) {
    return { failure };
  }
}

/**
 * Nothing for a type that this Tau does not know, or of its own that another one wrote with other fields.
 * What a feature's row cannot show is a plain line.
 */
export function showEvent(event: KeptEvent): readonly ShownPart[] {
  const show = rows.get(event.type)?.kept?.show;
  if (!show) return [];
  try {
    return show(event).filter(isSound);
  } catch (error) {
    if (!Object.hasOwn(EVENT_TABLE, event.type)) return [note(event.type.replaceAll("_", " "))];
    // A field that it looks into is not there.
    if (error instanceof TypeError) return [];
    throw error;
  }
}

function showOwnRun(kept: Told<"own_run_end">): Omit<OwnRunBlock, "key">[] {
  const { id: runId, tool: name, content, isError, ...rest } = kept;
  const phase = isError ? "failed" : "done";
  return [{ kind: "own_run", runId, name, phase, result: { content, isError }, ...rest }];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
