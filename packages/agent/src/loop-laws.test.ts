// The laws of the loop, over random scripts: whenever a run is stopped the record is whole,
// whatever comes when arrives once, and each request extends the one before it.

import { expect, test } from "bun:test";
import { textOf, userText, type Message } from "@tau/ai/message";
import type { ScriptedReply } from "@tau/testkit/script";
import fc from "fast-check";
import type { AgentEvent } from "./event.ts";
import { runLoop } from "./loop.ts";
import type { Delivery } from "./mail.ts";
import { Mailbox, type QueueMode } from "./mailbox.ts";
import { MemoryLog, model, scripted, unpaired, wordTool } from "./test/scripted-run.ts";
import { ToolTable } from "./tool-table.ts";
import type { Tool } from "./tool.ts";

const RUNS = 150;

const call = fc.record({
  name: fc.constantFrom("beside", "alone"),
  arguments: fc.record({ word: fc.constantFrom("", "a", "slow", "bad") }),
});
const reply: fc.Arbitrary<ScriptedReply> = fc.record({
  text: fc.constantFrom("hm", "well"),
  toolCalls: fc.array(call, { maxLength: 3 }),
});
const script = fc.array(reply, { maxLength: 4 });

interface Post {
  /** After how many events. */
  at: number;
  delivery: Delivery;
  isDurable: boolean;
  /** Microtasks later, so that every gap between two awaits is met. */
  hops: number;
}
const post: fc.Arbitrary<Post> = fc.record({
  at: fc.nat(60),
  delivery: fc.constantFrom<Delivery>("steer", "followUp", "nextTurn"),
  isDurable: fc.boolean(),
  hops: fc.nat(6),
});

function tracedTools(ran: string[]): Tool[] {
  const work = async (word: string): Promise<string> => {
    if (word === "slow") await Promise.resolve();
    if (word === "bad") throw new Error("bad");
    return `<${word}>`;
  };
  return (["beside", "alone"] as const).map((name) => {
    const tool = wordTool(name, name === "alone" ? "exclusive" : "shared", work);
    return {
      ...tool,
      execute: (params, context) => {
        ran.push(context.id);
        return tool.execute(params, context);
      },
    };
  });
}

interface Plan {
  replies: ScriptedReply[];
  posts: Post[];
  abortAt: number;
  interrupt: "immediate" | "wait";
  mode: QueueMode;
}
const plan: fc.Arbitrary<Plan> = fc.record({
  replies: script,
  posts: fc.array(post, { maxLength: 5 }),
  abortAt: fc.oneof(fc.constant(-1), fc.nat(80)),
  interrupt: fc.constantFrom("immediate", "wait"),
  mode: fc.constantFrom("one-at-a-time", "all"),
});

/** Runs a plan as one process would, prompt after prompt until nothing waits. */
async function live(plan: Plan) {
  const log = new MemoryLog();
  const mailbox = new Mailbox({ port: log, steering: plan.mode, followUps: plan.mode });
  const ran: string[] = [];
  const posted: string[] = [];
  const writes: Promise<unknown>[] = [];
  const { call, requests } = scripted(plan.replies, "live", { text: "nothing more" });
  const abort = new AbortController();
  let events = 0;
  let leftBehind = 0;
  const emit = (event: AgentEvent): void => {
    const isDone = event.type === "agent_end" && event.end.reason === "done";
    if (isDone && mailbox.wantsRun) leftBehind++;
    if (events === plan.abortAt) abort.abort();
    for (const { at, delivery, isDurable, hops } of plan.posts) {
      if (at !== events) continue;
      const id = `mail ${posted.length}`;
      posted.push(id);
      writes.push(
        later(hops).then(() => mailbox.post(userText(id, 0), { delivery, isDurable, id })),
      );
    }
    events++;
  };
  const tools = new ToolTable(tracedTools(ran));
  const once = async (prompt: string | undefined, signal: AbortSignal) => {
    const messages = log.conversation;
    const said = prompt === undefined ? {} : { prompt: [userText(prompt, 0)] };
    const { interrupt } = plan;
    const request = { model, system: ["s"], stream: true };
    const { record } = log;
    const options = { request, tools, callModel: call, record, mailbox, interrupt, repeats: "off" };
    return runLoop({ ...options, ...said, messages, signal, emit } as Parameters<
      typeof runLoop
    >[0]);
  };
  const first = await once("prompt", abort.signal);
  const afterFirst = log.conversation;
  await Promise.all(writes);
  const calm = new AbortController().signal;
  const second = await once("again", calm);
  await Promise.all(writes);
  while (mailbox.queued().length > 0) {
    await once(mailbox.wantsRun ? undefined : "and now", calm);
    await Promise.all(writes);
  }
  return { log, mailbox, ran, posted, requests, first, second, afterFirst, leftBehind };
}

async function later(hops: number): Promise<void> {
  for (let hop = 0; hop < hops; hop++) await Promise.resolve();
}

test("stopped at any event, the record is whole and the next prompt works", async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (plan) => {
      const { log, first, second, afterFirst, ran } = await live(plan);
      expect(unpaired(afterFirst)).toEqual([]);
      expect(unpaired(log.conversation)).toEqual([]);
      expect(afterFirst).toEqual(first.added);
      expect(["done", "aborted"]).toContain(first.end.reason);
      expect(second.end).toEqual({ reason: "done" });
      // No call runs twice.
      expect(new Set(ran).size).toBe(ran.length);
    }),
    { numRuns: RUNS },
  );
});

test("whatever is posted when arrives exactly once", async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (plan) => {
      const { log, mailbox, posted, leftBehind } = await live(plan);
      // No run calls itself done while mail that came before its end waits.
      expect(leftBehind).toBe(0);
      const arrived = log.conversation.map(textOf).filter((text) => text.startsWith("mail "));
      expect(arrived.toSorted()).toEqual(posted.toSorted());
      expect(mailbox.queued()).toEqual([]);
      expect(log.waiting).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

test("a request begins with all of the one before it, and its tools are the same", async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (plan) => {
      const { requests } = await live(plan);
      for (const [at, request] of requests.entries()) {
        const next = requests[at + 1];
        if (!next) break;
        expect(next.messages.slice(0, request.messages.length)).toEqual(
          request.messages as Message[],
        );
        expect(next.tools).toBe(request.tools);
        expect(next.system).toEqual(request.system);
      }
    }),
    { numRuns: RUNS },
  );
});

test("a process that dies at any write loses no acknowledged mail and repeats none", async () => {
  await fc.assert(
    fc.asyncProperty(plan, fc.nat(12), async (plan, diesAt) => {
      const log = new MemoryLog();
      const mailbox = new Mailbox({ port: log });
      for (const [at, { delivery }] of plan.posts.entries()) {
        await mailbox.post(userText(`mail ${at}`, 0), {
          delivery,
          id: `mail ${at}`,
          isDurable: true,
        });
      }
      let writes = 0;
      const { call } = scripted(plan.replies, "live", { text: "nothing more" });
      const options = {
        request: { model, system: [], stream: true },
        tools: new ToolTable(tracedTools([])),
        callModel: call,
        signal: new AbortController().signal,
        emit: () => {},
      };
      const dying = runLoop({
        ...options,
        messages: [],
        prompt: [userText("hi", 0)],
        mailbox,
        record: async (items) => {
          if (writes++ >= diesAt) throw new Error("killed");
          await log.record(items);
        },
      });
      await dying.catch((error: Error) => expect(error.message).toBe("killed"));
      // What the next process sees is the log alone.
      const reborn = new Mailbox({ port: log, restored: log.waiting });
      const again = () =>
        runLoop({
          ...options,
          messages: log.conversation,
          prompt: [userText("again", 0)],
          mailbox: reborn,
          record: log.record,
        });
      await again();
      const arrived = log.conversation.map(textOf).filter((text) => text.startsWith("mail "));
      expect(arrived.toSorted()).toEqual(plan.posts.map((_, at) => `mail ${at}`));
    }),
    { numRuns: RUNS },
  );
});
