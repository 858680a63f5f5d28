// The table of events: one row for each type that a session tells by itself, complete by the compiler's
// word; features register theirs. The reference for RPC clients, what the log
// keeps of events and what people are shown of them all follow from it.

import type { KeptEvent } from "./entry.ts";
import { keeping, type EventRow } from "./event-row.ts";
import { note, type OwnRunBlock, type ShownPart } from "./projection/block.ts";
import { describeHookError, type HookErrorNote } from "./projection/describe-hook-error.ts";
import { describeLimit } from "./projection/describe-limit.ts";
import { describeRecovery } from "./projection/describe-recovery.ts";
import { hasWords } from "./projection/has-words.ts";
import { isSound } from "./projection/sound-part.ts";
import type { BuiltInEvent, BuiltInEventMap } from "./session-event.ts";

type EventOf<Type extends string> = Extract<BuiltInEvent, { type: Type }>;

type EventTable = { readonly [Type in BuiltInEvent["type"]]: EventRow<EventOf<Type>> };

/** What a type's event says beyond its type. */
type Told<Type extends keyof BuiltInEventMap> = BuiltInEventMap[Type];

export const EVENT_TABLE: EventTable = {
  agent_start: { docs: "a run begins" },
  agent_end: {
    docs: "a run is over: `end` has the `reason`, and the limit that ended it",
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
  turn_start: { docs: "a model call, and the tools it leads to, begin" },
  turn_end: { docs: "they are over: `message` and the `results`" },
  message_start: { docs: "a reply begins" },
  message_update: { docs: "a reply as it comes: `event` has the deltas" },
  message_end: { docs: "a message is part of the session" },
  mail_delivered: { docs: "messages that waited have arrived" },
  reply_discarded: {
    docs: "a reply does not count: what was shown of it is void",
    kept: keeping(
      ({ message }: EventOf<"reply_discarded">) => (hasWords(message) ? {} : undefined),
      () => [note("The answer broke off and is asked for again.")],
    ),
  },
  auto_retry_start: {
    docs: "a model call failed: it is tried again, with another account, or with another model",
    kept: keeping(
      // Nobody waits for a title: what is done to get one is not news.
      ({ type: _type, ...rest }: EventOf<"auto_retry_start">) => (rest.isQuiet ? undefined : rest),
      (kept) => {
        const line = describeRecovery({ type: "auto_retry_start", ...kept });
        return line === undefined ? [] : [note(line, "warning")];
      },
    ),
  },
  auto_retry_end: { docs: "the retries are over; `success` says how" },
  hook_error: {
    docs: "a behaviour or an extension failed beside the run",
    kept: keeping(
      (event: EventOf<"hook_error">): HookErrorNote & { behaviour: string; hook: string } => ({
        behaviour: event.behaviour,
        hook: event.hook,
        ...describeHookError(event),
      }),
      ({ text, tone }) => [note(text, tone)],
    ),
  },
  tool_execution_start: { docs: "a tool begins" },
  tool_execution_update: {
    docs: "what a tool has printed since the last one, or (`replaces`) instead of it",
  },
  tool_execution_end: { docs: "a tool is done: `result`, `details`, `durationMs`" },
  title_changed: { docs: "the session has another title" },
  model_changed: { docs: "another model, or another thinking level, is in use" },
  queue_changed: { docs: "the messages that wait" },
  model_call: {
    docs: "a model was asked beside the conversation: `purpose`, `model`, `usage`, `costUsd`, `requests`, `outcome`",
  },
  answer_stands: {
    docs: "the reply that would have ended the run is an answer, though the run goes on",
  },
  command_output: {
    docs: "a command that came as a prompt is done: its `name`, and the `text` that it says",
    kept: keeping(
      ({ name, text }: EventOf<"command_output">) => (text === "" ? undefined : { name, text }),
      ({ text }) => [note(text)],
    ),
  },
  own_run_start: { docs: "a command or a cell of the user's own begins" },
  own_run_update: { docs: "what it has printed since the last one" },
  own_run_end: {
    docs: "it is done: `content`, `exitCode`, `durationMs`",
    kept: keeping(({ type: _type, ...rest }: EventOf<"own_run_end">) => rest, showOwnRun),
  },
  session_changed: { docs: "another session is the current one" },
  position_changed: { docs: "the position in the tree is another one" },
};

const rows = new Map<string, EventRow<never>>(Object.entries(EVENT_TABLE));

/** Of features: how events that they declare are documented, kept and shown. */
export type EventRows = Readonly<Record<string, EventRow<never>>>;

/**
 * From now on, in every session of the process, until what is returned is called: rows are constants, and a session that was written
 * with a feature is shown with its rows whether the feature is on or not.
 */
export function registerEvents(more: EventRows): () => void {
  for (const [type, row] of Object.entries(more)) rows.set(type, row);
  return () => Object.keys(more).forEach((type) => rows.delete(type));
}

/** In the order in which they were put there. */
export function eventRows(): readonly [type: string, row: EventRow<never>][] {
  return [...rows];
}

/** What the log keeps of an event; undefined if nothing. */
export function keepEvent<E extends { type: string }>(event: E): KeptEvent | undefined {
  const row = rows.get(event.type) as EventRow<E> | undefined;
  const kept = row?.kept?.keep(event);
  return kept && { type: event.type, ...kept };
}

/** Nothing for a type that this Tau does not know, or that another one wrote with other fields. */
export function showEvent(event: KeptEvent): readonly ShownPart[] {
  const show = rows.get(event.type)?.kept?.show;
  if (!show) return [];
  try {
    return show(event).filter(isSound);
  } catch (error) {
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
