// The law of the budget: `requests: n` is n model calls at most, whatever fails, is retried, is
// stopped, is compacted, is continued or comes by mail, and however many runs share it.

import { expect, test } from "bun:test";
import { modelFailure } from "@tau/ai/error";
import { userText } from "@tau/ai/message";
import type { ScriptedReply } from "@tau/testkit/script";
import fc from "fast-check";
import { Budget } from "./budget.ts";
import type { AgentEvent } from "./event.ts";
import type { StopReply, TurnEndAnswer } from "./hook-points.ts";
import { Hooks } from "./hooks.ts";
import { runLoop } from "./loop.ts";
import type { Delivery } from "./mail.ts";
import { Mailbox } from "./mailbox.ts";
import type { Recovery } from "./model-caller.ts";
import { echo, echoTool, MemoryLog, model, scripted } from "./test/scripted-run.ts";
import { ToolTable } from "./tool-table.ts";

const RUNS = 300;

const failed = (kind: "network" | "context_overflow"): ScriptedReply => ({
  text: "half",
  streamError: modelFailure(kind, "no"),
});
const reply = fc.constantFrom<ScriptedReply>(
  { text: "well" },
  { toolCalls: [echo("a")] },
  { toolCalls: [echo("a"), echo("b")] },
  { text: "cut", stop: "length" },
  failed("network"),
  failed("context_overflow"),
);
type Way = Recovery["type"] | "wait" | "elsewhere" | "none";
const way = fc.constantFrom<Way>("retry", "wait", "elsewhere", "compact", "give_up", "none");
const stop = fc.constantFrom<Partial<StopReply> | undefined>(
  undefined,
  undefined,
  { partial: "keep" },
  { partial: "discard" },
  { partial: "discard", next: "end_run" },
);
const turnEnd = fc.constantFrom<TurnEndAnswer | undefined>(
  undefined,
  { type: "continue", messages: [userText("go on", 0)] },
  { type: "compact", reason: "full" },
  { type: "stop", reason: "enough" },
);
const post = fc.record({
  at: fc.nat(80),
  delivery: fc.constantFrom<Delivery>("steer", "followUp", "nextTurn"),
});

const plan = fc.record({
  requests: fc.nat(8),
  replies: fc.array(reply, { maxLength: 12 }),
  ways: fc.array(way, { maxLength: 8 }),
  stops: fc.array(stop, { maxLength: 8 }),
  turnEnds: fc.array(turnEnd, { maxLength: 8 }),
  compactions: fc.array(fc.boolean(), { maxLength: 6 }),
  posts: fc.array(post, { maxLength: 4 }),
  abortAt: fc.oneof(fc.constant(-1), fc.nat(80)),
  isEndless: fc.boolean(),
  runs: fc.integer({ min: 1, max: 3 }),
});

test("no more model calls than the budget allows, whatever happens", async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (plan) => {
      // Taken from one after another; the plan itself stays, to be told where it fails.
      const { ways, stops, turnEnds, compactions } = structuredClone(plan);
      const budget = new Budget({ requests: plan.requests });
      const last: ScriptedReply = plan.isEndless ? { toolCalls: [echo("again")] } : { text: "end" };
      const { call, requests } = scripted(plan.replies, "live", last);
      const recoveries: Record<Way, Recovery | undefined> = {
        retry: { type: "retry" },
        wait: { type: "retry", afterMs: 0 },
        elsewhere: { type: "retry", callModel: (...args) => call(...args) },
        compact: { type: "compact" },
        give_up: { type: "give_up" },
        none: undefined,
      };
      const hooks = new Hooks();
      hooks.register(
        { kind: "extension", name: "e" },
        {
          failure: () => recoveries[ways.shift() ?? "none"],
          stream: ({ event }) => {
            if (event.type !== "text_end") return undefined;
            const how = stops.shift();
            return how && { type: "stop", reason: "no", partial: "keep", ...how };
          },
          turn_end: () => turnEnds.shift(),
        },
      );
      const mailbox = new Mailbox();
      const log = new MemoryLog();
      const abort = new AbortController();
      let events = 0;
      const emit = (_event: AgentEvent): void => {
        if (events === plan.abortAt) abort.abort();
        for (const { at, delivery } of plan.posts) {
          if (at === events) void mailbox.post(userText("mail", 0), { delivery });
        }
        events++;
      };
      for (let at = 0; at < plan.runs; at++) {
        // The last one begins with a signal of its own: a budget outlives an abort.
        const signal = at === plan.runs - 1 ? new AbortController().signal : abort.signal;
        const { end } = await runLoop({
          request: { model, system: [], stream: true },
          messages: log.conversation,
          prompt: [userText("go", 0)],
          tools: new ToolTable([echoTool()]),
          callModel: call,
          record: log.record,
          isCutByWindow: () => true,
          compact: async () => (compactions.shift() ? [userText("short", 0)] : undefined),
          repeats: "off",
          hooks,
          mailbox,
          budget,
          signal,
          emit,
        });
        expect(requests.length).toBeLessThanOrEqual(plan.requests);
        // What was sent is what was counted.
        expect(budget.spent.requests).toBe(requests.length);
        if (end.reason === "limit" && end.kind === "requests") {
          expect(requests).toHaveLength(plan.requests);
        }
      }
    }),
    { numRuns: RUNS },
  );
});
