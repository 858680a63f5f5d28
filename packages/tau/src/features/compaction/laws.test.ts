// Over random conversations, compacted twice: nothing is lost between two summaries, nothing
// grows, and no call is parted from its result.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { textOf, toolCallsOf, type AssistantMessage, type Message } from "@tau/ai/message";
import { arbitraryMessages } from "@tau/ai/wires/arbitrary-conversation";
import { buildContext } from "../../session/context/build-context.ts";
import { messagesTokens } from "../../base/message-tokens.ts";
import type { TreeModel } from "../../session/context/test/tree-model.ts";
import { compact, type CompactionOutcome } from "./compact.ts";
import { handoffStrategy } from "./handoff.ts";
import { planCut } from "./plan-cut.ts";
import { snapshotStrategy } from "./snapshot.ts";
import type { CompactionStrategy } from "./strategy.ts";
import { summaryStrategy } from "./summary.ts";
import { inputOf, MODEL, ScriptedAsk, sessionOf } from "./test/scenario.ts";
import type { CompactionReason } from "./triggers.ts";

const SEED = 21;

const marker = (at: number): string => `#${at}.`;

/** Each message says which it is, where a summariser reads it. */
function marked(messages: readonly Message[], from: number): Message[] {
  return messages.map((message, index) => {
    const note = { type: "text" as const, text: marker(from + index) };
    return { ...message, content: [note, ...message.content] } as Message;
  });
}

/** Results by the reply whose call they answer, as vendors pair them. */
function pairs(messages: readonly Message[]): Map<Message, AssistantMessage> {
  const found = new Map<Message, AssistantMessage>();
  let reply: AssistantMessage | undefined;
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      reply = message;
      open = toolCallsOf(message).map((call) => call.id);
    }
    if (message.role !== "toolResult" || !reply) continue;
    const index = open.indexOf(message.toolCallId);
    if (index < 0) continue;
    open.splice(index, 1);
    found.set(message, reply);
  }
  return found;
}

interface Round {
  messages: Message[];
  keep: number;
  reason: CompactionReason;
  answerChars: number;
}

const round: fc.Arbitrary<Round> = fc.record({
  messages: fc
    .array(arbitraryMessages(), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.flat()),
  keep: fc.constantFrom(1, 40, 200, 1000),
  reason: fc.constantFrom<CompactionReason[]>("manual", "threshold", "overflow", "idle"),
  answerChars: fc.constantFrom(10, 10, 400, 8000),
});

interface Told {
  session: TreeModel;
  all: Message[];
  /** What was put before the summariser in compactions that were taken. */
  covered: string;
  outcomes: CompactionOutcome[];
}

async function play(rounds: readonly Round[], strategy: CompactionStrategy): Promise<Told> {
  const session = sessionOf();
  const told: Told = { session, all: [], covered: "", outcomes: [] };
  for (const { messages, keep, reason, answerChars } of rounds) {
    for (const message of marked(messages, told.all.length)) {
      // Settings stand between messages and belong to neither side by themselves.
      if (told.all.length % 3 === 0)
        session.append({ type: "thinking_level_change", thinkingLevel: "off" });
      told.all.push(message);
      session.append({ type: "message", message });
    }
    const scripted = new ScriptedAsk("s".repeat(answerChars));
    const before = buildContext(session.branch());
    const input = inputOf(session, { keep, reason });
    const outcome = await compact(strategy, input, scripted.deps);
    told.outcomes.push(outcome);
    if (outcome.type !== "compaction") continue;
    session.append(outcome.entry);
    told.covered += scripted.prompts.join("\n");
    const after = buildContext(session.branch());
    expect(messagesTokens(after.messages)).toBeLessThan(messagesTokens(before.messages));
    expect(outcome.entry.tokensAfter).toBeLessThan(outcome.entry.tokensBefore);
  }
  return told;
}

describe("two compactions in a row", () => {
  const rounds = fc.tuple(round, round, round);

  test("every message is in a summarised range or in the context; something was compacted", async () => {
    let taken = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(rounds, async (rounds) => {
        const { session, all, covered, outcomes } = await play(rounds, summaryStrategy);
        const present = buildContext(session.branch()).messages.map(textOf).join("\n");
        const belongs = pairs(all);
        for (const [at, message] of all.entries()) {
          // A result that never had a call is no vendor's and no reader's loss.
          if (message.role === "toolResult" && !belongs.has(message)) continue;
          const isThere = covered.includes(marker(at)) || present.includes(marker(at));
          if (!isThere) throw new Error(`message ${at} is neither summarised nor present`);
        }
        for (const { type } of outcomes) if (type === "compaction") taken++;
        refused += outcomes.filter(
          (one) => one.type === "dropped" && one.reason === "no_gain",
        ).length;
      }),
      { seed: SEED, numRuns: 150 },
    );
    expect(taken).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(20);
  });

  test("a call and its result are on the same side of every cut", async () => {
    await fc.assert(
      fc.asyncProperty(rounds, async (rounds) => {
        const { session, all } = await play(rounds, summaryStrategy);
        const context = new Set(buildContext(session.branch()).messages);
        for (const [result, reply] of pairs(all)) {
          expect(context.has(result)).toBe(context.has(reply));
        }
      }),
      { seed: SEED, numRuns: 150 },
    );
  });

  test("snapshots and handovers shrink too, or leave everything as it is", async () => {
    const seeing: CompactionStrategy = {
      name: "seeing",
      compact: (input, deps) =>
        snapshotStrategy.compact({ ...input, model: { ...MODEL, input: ["text", "image"] } }, deps),
    };
    await fc.assert(
      fc.asyncProperty(
        rounds,
        fc.constantFrom(seeing, handoffStrategy),
        async (rounds, strategy) => {
          await play(rounds, strategy);
        },
      ),
      { seed: SEED, numRuns: 60 },
    );
  });
});

test("a cut parts a branch into history, a turn's beginning and what is kept, without a gap", () => {
  fc.assert(
    fc.property(
      fc.array(arbitraryMessages(), { maxLength: 4 }),
      fc.nat(400),
      (parts, keepTokens) => {
        const session = sessionOf(...parts.flat());
        const branch = session.branch();
        const plan = planCut(branch, { keepTokens });
        if (!plan) return;
        expect([...plan.history, ...plan.turnPrefix, ...plan.kept]).toEqual(branch);
        expect(plan.history.length + plan.turnPrefix.length).toBeGreaterThan(0);
        expect(plan.kept[0]).toMatchObject({ id: plan.firstKeptEntryId });
        expect(plan.kept[0]).not.toMatchObject({ message: { role: "toolResult" } });
      },
    ),
    { seed: SEED, numRuns: 300 },
  );
});
