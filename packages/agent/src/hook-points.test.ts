import { expect, test } from "bun:test";
import { modelFailure } from "@tau/ai/error";
import { textOf, userText, type Message } from "@tau/ai/message";
import { ReplyStream } from "@tau/ai/reply-stream";
import { Hooks, type HookHandlers, type HookOwner } from "./hooks.ts";
import { Mailbox } from "./mailbox.ts";
import { echo, MemoryLog, run, scripted } from "./test/scripted-run.ts";

const builtIn = (name: string, order: number): HookOwner => ({ kind: "behaviour", name, order });

function hooksWith(handlers: HookHandlers): Hooks {
  const hooks = new Hooks();
  hooks.register(builtIn("b", 1), handlers);
  return hooks;
}

test("a context handler changes what is sent, never what is kept", async () => {
  const log = new MemoryLog();
  const hooks = hooksWith({
    context: ({ messages }) => messages.filter((message) => message.role !== "toolResult"),
  });
  const { requests } = await run([{ toolCalls: [echo("a")] }, {}], {
    hooks,
    prompt: [userText("hi", 0)],
    record: log.record,
  });
  const roles = (messages: readonly Message[]) => messages.map((message) => message.role);
  expect(roles(requests[1]!.messages)).toEqual(["user", "assistant"]);
  expect(roles(log.conversation)).toEqual(["user", "assistant", "toolResult", "assistant"]);
});

test("run_start adds messages and chooses the model, request sets options", async () => {
  const hooks = hooksWith({
    run_start: ({ request }) => ({
      messages: [userText("remember", 0)],
      request: { model: { ...request.model, id: "other" } },
    }),
    request: ({ request }) => ({ maxOutput: request.messages.length, messages: [] }),
  });
  const { requests, added } = await run([{}], { hooks, prompt: [userText("hi", 0)] });
  expect(added.map(textOf)).toEqual(["hi", "remember", ""]);
  expect(requests[0]).toMatchObject({ model: { id: "other" }, maxOutput: 2 });
  expect(requests[0]!.messages).toHaveLength(2);
});

test("stream stops a reply: its calls are answered, and the model hears why", async () => {
  const hooks = hooksWith({
    stream: ({ event, turn }) =>
      turn === 1 && event.type === "toolcall_end"
        ? { type: "stop", reason: "no such calls", partial: "keep" }
        : undefined,
  });
  const { added, events } = await run(
    [{ text: "I will", toolCalls: [echo("a")] }, { text: "sorry" }],
    {
      hooks,
    },
  );
  expect(added.map((message) => message.role)).toEqual([
    "assistant",
    "toolResult",
    "developer",
    "assistant",
  ]);
  expect(textOf(added[2]!)).toContain("no such calls");
  expect(events.some((event) => event.type === "tool_execution_start")).toBe(false);
});

test("a reply that dies slowly is waited for before anything else happens", async () => {
  const order: string[] = [];
  const { call } = scripted([{ text: "bad" }, { text: "good" }], "at_once");
  const hooks = hooksWith({
    stream: ({ turn }) =>
      turn === 1 ? { type: "stop", reason: "bad", partial: "discard" } : undefined,
  });
  await run([], {
    hooks,
    callModel: (request, options) => {
      order.push("asked");
      const whole = call(request, options);
      if (order.length > 1) return whole;
      const slow = new ReplyStream();
      slow.push({ type: "start" });
      options.signal.addEventListener("abort", async () => {
        await Bun.sleep(5);
        order.push("dead");
        for await (const event of whole) slow.push(event);
      });
      return slow;
    },
  });
  expect(order).toEqual(["asked", "dead", "asked"]);
});

test("a stopped reply can be discarded, and two programs cannot argue for ever", async () => {
  const hooks = hooksWith({
    stream: () => ({ type: "stop", reason: "never good enough", partial: "discard" }),
  });
  const replies = Array.from({ length: 20 }, () => ({ text: "try" }));
  const { end, added, requests } = await run(replies, { hooks });
  expect(end).toMatchObject({ reason: "limit", kind: "behaviour" });
  expect(requests).toHaveLength(8);
  expect(added.some((message) => message.role === "assistant")).toBe(false);
});

test("turn_end goes on with messages, or stops the run with a reason", async () => {
  const hooks = new Hooks();
  hooks.register(builtIn("todo", 1), {
    turn_end: ({ turn }) =>
      turn === 1 ? { type: "continue", messages: [userText("not yet", 0)] } : undefined,
  });
  hooks.register(builtIn("guard", 2), {
    turn_end: ({ turn }) => (turn === 2 ? { type: "stop", reason: "enough" } : undefined),
  });
  const { end, added } = await run([{ text: "a" }, { text: "b" }], { hooks });
  expect(added.map(textOf)).toEqual(["a", "not yet", "b"]);
  expect(end).toEqual({ reason: "limit", kind: "behaviour", limit: "guard (enough)" });
});

test("turn_end may call the run done: calls have their results, the model is not asked again", async () => {
  let idle = 0;
  const hooks = hooksWith({ turn_end: () => ({ type: "done" }), idle: () => void idle++ });
  const { end, added, requests } = await run([{ toolCalls: [echo("a")] }, { text: "more" }], {
    hooks,
    prompt: [userText("hi", 0)],
  });
  expect(end).toEqual({ reason: "done" });
  expect(added.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult"]);
  expect(requests).toHaveLength(1);
  // Whoever waits for a run to come to rest hears of this one, too.
  expect(idle).toBe(1);
});

test("mail that waits when a run is called done is heard", async () => {
  const mailbox = new Mailbox();
  let turns = 0;
  const hooks = hooksWith({
    turn_end: async () => {
      if (turns++ === 0) await mailbox.post(userText("one more", 0), { delivery: "steer" });
      return { type: "done" };
    },
  });
  const { added } = await run([{ text: "a" }, { text: "b" }], { hooks, mailbox });
  expect(added.map(textOf)).toEqual(["a", "one more", "b"]);
});

test("failure: wait and retry, compact once, then give up", async () => {
  const overflow = { streamError: modelFailure("context_overflow", "too long") };
  const seen: number[] = [];
  const hooks = hooksWith({
    failure: ({ failure, attempt }) => {
      seen.push(attempt);
      if (failure.kind === "network") return { type: "retry", afterMs: 1 };
      return { type: "compact" };
    },
  });
  const network = { streamError: modelFailure("network", "gone") };
  const { end, requests, events } = await run([network, overflow, overflow], {
    hooks,
    compact: async () => [userText("short", 0)],
  });
  expect(end).toEqual({ reason: "failed" });
  expect(seen).toEqual([1, 2, 3]);
  expect(requests[2]!.messages.map(textOf)).toEqual(["short"]);
  const retries = events.filter((event) => event.type.startsWith("auto_retry"));
  expect(retries).toMatchObject([
    { action: "wait", delayMs: 1 },
    { success: false, attempts: 1 },
  ]);
});

test("idle handlers may keep the run going through the mailbox", async () => {
  const mailbox = new Mailbox();
  let times = 0;
  const hooks = hooksWith({
    idle: async () => {
      if (times++ === 0) await mailbox.post(userText("one more", 0), { delivery: "followUp" });
    },
  });
  const { added } = await run([{ text: "a" }, { text: "b" }], { hooks, mailbox });
  expect(added.map(textOf)).toEqual(["a", "one more", "b"]);
  expect(times).toBe(2);
});

test("an abort while the conversation is compacted ends the run as aborted", async () => {
  const abort = new AbortController();
  const hooks = hooksWith({ turn_end: () => ({ type: "compact", reason: "full" }) });
  const { end } = await run([{}], {
    hooks,
    signal: abort.signal,
    compact: async ({ signal }) => {
      abort.abort();
      signal.throwIfAborted();
      return undefined;
    },
  });
  expect(end).toEqual({ reason: "aborted" });
});
