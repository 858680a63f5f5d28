// The family's events on Tau's hook points and session events: what a handler is told, and what becomes
// of its answer. A handler that fails is told of by the event's name; at `tool_call` by the hook point, which blocks the call.

import type { Answer, HookContext, HookName, Told } from "@tau/agent/hook-points";
import type { HookHandlers } from "@tau/agent/hooks";
import type { EndReason } from "@tau/agent/session-hook-points";
import { textOf, type Message } from "@tau/ai/message";
import type { SessionEntry } from "../../session/entry.ts";
import {
  fromFamilyMessages,
  toContent,
  toFamilyMessage,
  type FamilyMessage,
} from "./family-messages.ts";
import { beforeRun } from "./before-run.ts";
import { discoverResources } from "./family-resources.ts";
import { runInstead } from "./run-instead.ts";
import { callHandlers, type EventPlace } from "./event-place.ts";
import { aroundRequest, PROVIDER_EVENTS } from "./provider-events.ts";
import { judgeToolCall } from "./judge-tool-call.ts";
import { TOLD_ONLY } from "./told-events.ts";

type HookRow = {
  [K in HookName]: {
    hook: K;
    /** The family's event of this moment; several names if it has had several. */
    events: readonly string[];
    handle(place: EventPlace, told: Told<K>): Promise<Answer<K> | undefined | void>;
  };
}[HookName];

function familyForm({ host }: EventPlace, message: Message, entry?: SessionEntry): FamilyMessage {
  const { typed, model } = host.session;
  return toFamilyMessage(message, { entry, form: typed.custom.of(message), cost: model.cost });
}

const forms = new WeakMap<Message, FamilyMessage>();

/** One for all who are only told of it: a message stays as it is, and a conversation is long. */
function toldForm(place: EventPlace, message: Message): FamilyMessage {
  const form = forms.get(message) ?? familyForm(place, message);
  forms.set(message, form);
  return form;
}

function notice<K extends HookName>(
  hook: K,
  events: readonly string[],
  describe: (told: Told<K>) => Record<string, unknown>,
): HookRow {
  return {
    hook,
    events,
    handle: async (place: EventPlace, told: Told<K>) => {
      await place.follow();
      for (const type of events) await callHandlers(place, { ...describe(told), type });
    },
  } as unknown as HookRow;
}

function cancellable<K extends HookName>(
  hook: K,
  events: readonly string[],
  describe: (told: Told<K>) => Record<string, unknown>,
  more: (answer: Record<string, unknown>) => unknown = () => undefined,
): HookRow {
  return {
    hook,
    events,
    handle: async (place: EventPlace, told: Told<K>) => {
      let answer: unknown;
      for (const type of events) {
        await callHandlers(place, { ...describe(told), type }, (given) => {
          if (given.cancel === true) answer = { cancel: true };
          else answer ??= more(given);
          return given.cancel === true ? "enough" : "go on";
        });
      }
      return answer;
    },
  } as unknown as HookRow;
}

function preparationOf(plan: Told<"session_before_compact">["plan"]): object | undefined {
  if (!plan) return undefined;
  const { firstKeptEntryId, messages, previousSummary, tokensBefore } = plan;
  return {
    firstKeptEntryId,
    messagesToSummarize: messages.map((message) => toFamilyMessage(message)),
    turnPrefixMessages: [],
    isSplitTurn: false,
    tokensBefore,
    previousSummary,
    fileOps: { read: new Set(), written: new Set(), edited: new Set() },
    settings: {},
  };
}

/** In the family's words. */
const REASONS: Readonly<Record<EndReason, string>> = {
  new: "new",
  resume: "resume",
  fork: "fork",
  handoff: "new",
  reload: "reload",
  quit: "quit",
};

const ROWS: readonly HookRow[] = [
  {
    hook: "session_start",
    events: ["session_start", "resources_discover"],
    async handle(place, { reason, previous }) {
      await place.follow();
      const isFirst = reason === "new" && previous === undefined;
      const why = isFirst ? "startup" : REASONS[reason];
      await callHandlers(place, { type: "session_start", reason: why });
      await discoverResources(place, reason === "reload" ? "reload" : "startup");
    },
  },
  cancellable("session_before_switch", ["session_before_switch"], ({ to, reason }) => ({
    reason: REASONS[reason],
    targetSessionFile: to,
  })),
  notice("session_switch", ["session_switch"], ({ from, to, reason }) => ({
    reason: REASONS[reason],
    from,
    to,
  })),
  cancellable(
    "session_before_branch",
    ["session_before_branch", "session_before_fork"],
    (told) => ({
      ...told,
      position: "before",
    }),
  ),
  notice("session_branch", ["session_branch", "session_fork"], (told) => ({ ...told })),
  cancellable(
    "session_before_compact",
    ["session_before_compact"],
    ({ reason, instructions, plan }) => ({
      reason,
      willRetry: false,
      customInstructions: instructions,
      preparation: preparationOf(plan),
    }),
    ({ compaction }) => (compaction === undefined ? undefined : { compaction }),
  ),
  {
    hook: "session_compacting",
    events: ["session.compacting"],
    async handle(place, { reason }) {
      const context: string[] = [];
      let prompt: string | undefined;
      let preserveData: Record<string, unknown> | undefined;
      await callHandlers(place, { type: "session.compacting", reason }, (answer) => {
        if (Array.isArray(answer.context)) context.push(...answer.context.map(String));
        if (typeof answer.prompt === "string") prompt = answer.prompt;
        if (typeof answer.preserveData === "object" && answer.preserveData !== null) {
          preserveData = { ...preserveData, ...answer.preserveData };
        }
        return "go on";
      });
      return { context, prompt, preserveData };
    },
  },
  notice("session_compact", ["session_compact"], ({ reason, entryId }) => ({
    reason,
    fromExtension: false,
    willRetry: false,
    compactionEntry: { id: entryId, type: "compaction" },
  })),
  cancellable(
    "session_before_tree",
    ["session_before_tree"],
    ({ from, to }) => ({ preparation: { targetId: to, oldLeafId: from } }),
    ({ summary }) => (typeof summary === "object" && summary !== null ? { summary } : undefined),
  ),
  notice("session_tree", ["session_tree"], ({ from, to }) => ({ oldLeafId: from, newLeafId: to })),
  notice("session_end", ["session_shutdown"], ({ reason }) => ({ reason: REASONS[reason] })),
  {
    hook: "own_run",
    events: ["user_bash", "user_python"],
    handle: (place, told) => runInstead(place, told),
  },
  {
    hook: "input",
    events: ["input"],
    async handle(place, { message, source }) {
      let text = textOf(message);
      let images = message.content.filter((block) => block.type === "image");
      let outcome: "as it is" | "changed" | "handled" = "as it is";
      for (const handler of place.registrations.of("input")) {
        const event = {
          type: "input",
          text,
          images,
          source: source === "rpc" ? "rpc" : source === "extension" ? "extension" : "interactive",
        };
        const answer = await place.attempt(handler, event);
        if (answer?.action === "handled" || answer?.handled === true) {
          outcome = "handled";
          break;
        }
        if (
          answer?.action === "transform" ||
          (answer && answer.action === undefined && typeof answer.text === "string")
        ) {
          text = String(answer.text);
          if (Array.isArray(answer.images))
            images = toContent(answer.images).filter((block) => block.type === "image");
          outcome = "changed";
        }
      }
      if (outcome === "handled") return { type: "consume" };
      if (outcome === "as it is" || message.role !== "user") return undefined;
      return {
        type: "transform",
        message: { ...message, content: [{ type: "text", text }, ...images] },
      };
    },
  },
  {
    hook: "run_start",
    events: ["before_agent_start"],
    handle: (place, told) => beforeRun(place, told),
  },
  {
    hook: "context",
    events: ["context"],
    async handle(place, { messages }) {
      const { messages: known, sources } = place.host.view.live;
      const entries = new Map(place.host.view.entries.map((entry) => [entry.id, entry]));
      const given = new Map<unknown, { original: Message; form: FamilyMessage }>();
      let current: unknown[] = messages.map((original) => {
        const at = known.indexOf(original);
        const entry = at < 0 ? undefined : entries.get(sources[at]!);
        const message = familyForm(place, original, entry);
        given.set(message, { original, form: familyForm(place, original, entry) });
        return message;
      });
      let isAnswered = false;
      for (const handler of place.registrations.of("context")) {
        const answer = await place.attempt(handler, { type: "context", messages: current });
        if (!Array.isArray(answer?.messages)) continue;
        current = answer.messages;
        isAnswered = true;
      }
      return isAnswered ? fromFamilyMessages(current, given) : undefined;
    },
  },
  {
    hook: "request",
    events: PROVIDER_EVENTS,
    handle: async (place, told) => aroundRequest(place, told),
  },
  {
    hook: "tool_call",
    events: ["tool_call"],
    handle: (place, told) => judgeToolCall(place, told),
  },
  {
    hook: "tool_result",
    events: ["tool_result"],
    async handle(place, { call, result, details }) {
      const event: Record<string, unknown> & { type: string } = {
        type: "tool_result",
        toolName: call.name,
        toolCallId: call.id,
        input: structuredClone(call.arguments),
        content: result.content.map((block) => ({ ...block })),
        details,
        isError: result.isError,
      };
      let isChanged = false;
      await callHandlers(place, event, (answer) => {
        for (const key of ["content", "details", "isError"]) {
          if (answer[key] === undefined) continue;
          event[key] = answer[key];
          isChanged = true;
        }
        return "go on";
      });
      if (!isChanged) return undefined;
      return {
        content: toContent(event.content),
        details: event.details,
        isError: event.isError === true,
      };
    },
  },
  {
    hook: "turn_end",
    events: ["turn_end"],
    async handle(place, { turn, message, results }) {
      await callHandlers(place, {
        type: "turn_end",
        turnIndex: turn - 1,
        message: toldForm(place, message),
        toolResults: results.map((result) => toldForm(place, result)),
      });
    },
  },
  {
    hook: "idle",
    events: ["agent_end"],
    async handle(place, { messages }) {
      const told = messages.map((message) => toldForm(place, message));
      await callHandlers(place, { type: "agent_end", messages: told });
    },
  },
];

/** Only the points at which somebody listens: the others cost nothing. */
export function familyHooks(place: EventPlace): HookHandlers {
  const heard = ROWS.filter(({ events }) =>
    events.some((event) => place.registrations.of(event).length > 0),
  );
  return Object.fromEntries(
    heard.map((row) => [
      row.hook,
      async (told: never, { signal }: HookContext) =>
        place.during(signal, () => row.handle(place, told)),
    ]),
  ) as HookHandlers;
}

/** Every name that a handler may be registered for and that is told here. */
export const TOLD_EVENTS: ReadonlySet<string> = new Set([
  ...ROWS.flatMap(({ events }) => events),
  ...TOLD_ONLY,
]);
