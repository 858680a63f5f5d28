// How the answers of several handlers become one, point by point.

import { describe, expect, test } from "bun:test";
import { modelFailure } from "@tau/ai/error";
import type { StreamEvent } from "@tau/ai/event";
import { textOf, userText, type AssistantMessage, type ToolCallBlock } from "@tau/ai/message";
import type { ModelRequest } from "@tau/ai/request";
import type { AgentEvent } from "./event.ts";
import { HookCalls, SLOW_HOOK_MS } from "./hook-calls.ts";
import type { HookName } from "./hook-points.ts";
import { Hooks, type HookHandlers } from "./hooks.ts";
import { model, run } from "./test/scripted-run.ts";
import { refusal } from "./tool-table.ts";

const said = (text: string) => userText(text, 0);

function callsOf(...handlers: HookHandlers[]) {
  const hooks = new Hooks();
  for (const [at, one] of handlers.entries()) {
    hooks.register({ kind: "extension", name: `e${at + 1}` }, one);
  }
  const events: AgentEvent[] = [];
  const { signal } = new AbortController();
  const calls = new HookCalls(hooks, { signal, emit: (event) => events.push(event) });
  return { calls, events, signal, hooks };
}

test("without hooks there is nobody, and everything stays as it is", async () => {
  const { signal } = new AbortController();
  const calls = new HookCalls(undefined, { signal, emit: () => {} });
  expect(calls.has("input")).toBe(false);
  expect(calls.at("input")).toEqual([]);
  const messages = [said("a")];
  expect(await calls.context(messages, 1)).toBe(messages);
  expect(await calls.input(messages[0]!, "user")).toBe(messages[0]!);
});

test("a handler gets the run's signal, and null is no answer", async () => {
  const seen: unknown[] = [];
  const { calls, signal, events } = callsOf({
    context: (_told, context) => {
      seen.push(context.signal);
      return null as unknown as undefined;
    },
  });
  const messages = [said("a")];
  expect(await calls.context(messages, 1)).toBe(messages);
  expect(seen).toEqual([signal]);
  expect(events).toEqual([]);
});

describe("input", () => {
  test("is told where it came from; who comes later sees what became of it", async () => {
    const seen: string[] = [];
    const { calls } = callsOf(
      {
        input: ({ message, source }) => {
          seen.push(`${textOf(message)} from ${source}`);
          return { type: "transform", message: said("other") };
        },
      },
      { input: ({ message, source }) => void seen.push(`${textOf(message)} from ${source}`) },
    );
    expect(textOf((await calls.input(said("one"), "rpc"))!)).toBe("other");
    expect(seen).toEqual(["one from rpc", "other from rpc"]);
  });

  test("that was consumed is put to nobody else", async () => {
    let later = 0;
    const { calls } = callsOf(
      { input: () => ({ type: "consume" }) },
      { input: () => void later++ },
    );
    expect(await calls.input(said("/x"), "user")).toBeUndefined();
    expect(later).toBe(0);
  });
});

test("views are replaced one after another, and kept where nothing is answered", async () => {
  const seen: number[] = [];
  const { calls } = callsOf(
    { context: ({ messages }) => [...messages, said("b")] },
    {
      context: ({ messages, turn }) => {
        seen.push(messages.length, turn);
      },
    },
    { context: async ({ messages }) => messages.slice(1) },
  );
  expect((await calls.context([said("a")], 7)).map(textOf)).toEqual(["b"]);
  expect(seen).toEqual([2, 7]);
});

test("options add up; the conversation and the tools are settled", async () => {
  const request: ModelRequest = {
    model,
    system: ["s"],
    stream: true,
    messages: [said("a")],
    tools: [],
  };
  const seen: unknown[] = [];
  const { calls } = callsOf(
    { request: () => ({ maxOutput: 1, messages: [], tools: [{}] }) as never },
    { request: () => undefined },
    {
      request: ({ request, turn }) => {
        seen.push(request.maxOutput, turn);
        return { temperature: 0.5 };
      },
    },
  );
  expect(await calls.request(request, 3)).toEqual({ ...request, maxOutput: 1, temperature: 0.5 });
  expect(seen).toEqual([1, 3]);
});

describe("stream", () => {
  const event: StreamEvent = { type: "start" };

  test("is stopped by the first who wants it, by name; nobody after that is heard", () => {
    let later = 0;
    const { calls } = callsOf(
      { stream: () => undefined },
      { stream: () => ({ type: "stop", reason: "no", partial: "keep" }) },
      { stream: () => void later++ },
    );
    expect(calls.stream(event, 1)).toEqual({
      type: "stop",
      reason: "no",
      partial: "keep",
      behaviour: "e2",
    });
    expect(later).toBe(0);
  });

  test("is told event and turn, and goes on where nobody answers", () => {
    const told: unknown[] = [];
    const { calls, signal } = callsOf({
      stream: (one, context) => void told.push(one, context.signal),
    });
    expect(calls.stream(event, 4)).toBeUndefined();
    expect(told).toEqual([{ event, turn: 4 }, signal]);
  });

  test("an answer that comes later is too late, and a failure then is told", async () => {
    const stop = { type: "stop", reason: "no", partial: "keep" } as const;
    const { calls, events } = callsOf(
      { stream: (async () => stop) as never },
      { stream: (() => Promise.reject(new Error("late"))) as never },
    );
    expect(calls.stream(event, 1)).toBeUndefined();
    await Bun.sleep(0);
    expect(events).toEqual([
      { type: "hook_error", behaviour: "e2", hook: "stream", error: new Error("late") },
    ]);
  });
});

test("a failure is for the first who knows what to do; nobody after that is heard", async () => {
  const heard: string[] = [];
  const { calls } = callsOf(
    { failure: () => void heard.push("one") },
    { failure: async () => ({ type: "give_up" }) },
    { failure: () => void heard.push("three") },
  );
  const failure = modelFailure("network", "gone");
  const { added } = await run([{ streamError: failure }]);
  const reply = added[0] as AssistantMessage;
  expect(await calls.failure({ failure, reply, attempt: 1, turn: 1, mayCompact: true })).toEqual({
    type: "give_up",
  });
  expect(heard).toEqual(["one"]);
});

describe("tool_result", () => {
  const call: ToolCallBlock = { type: "toolCall", id: "c", name: "t", arguments: {} };
  const text = (text: string) => [{ type: "text" as const, text }];

  test("each changes what it names, and leaves the rest; who comes later sees it", async () => {
    const seen: unknown[] = [];
    const { calls } = callsOf(
      { tool_result: () => ({ content: text("one") }) },
      { tool_result: () => undefined },
      {
        tool_result: ({ result, details, call }) => {
          seen.push(textOf(result), details, call.id);
          return { isError: false, details: undefined };
        },
      },
    );
    const ran = { ...refusal(call, "no"), details: { a: 1 }, artifactId: "7" };
    const outcome = await calls.toolResult(call, ran, { wasRun: true });
    expect(outcome).toEqual({
      ...ran,
      result: { ...ran.result, content: text("one"), isError: false },
      details: undefined,
    });
    expect(seen).toEqual(["one", { a: 1 }, "c"]);
    // What was run is as it was.
    expect(textOf(ran.result)).toBe("no");
  });

  test("details stay where they are not mentioned", async () => {
    const { calls } = callsOf({ tool_result: () => ({ isError: true }) });
    const outcome = await calls.toolResult(
      call,
      { ...refusal(call, "no"), details: 1 },
      { wasRun: true },
    );
    expect(outcome.details).toBe(1);
  });
});

describe("a session's points", () => {
  test("collect answers in order, without those who have none", async () => {
    const { calls } = callsOf(
      { session_compacting: () => ({ context: ["a"] }) },
      { session_compacting: () => undefined },
      { session_compacting: () => null as unknown as undefined },
      { session_compacting: async () => ({ context: ["b"] }) },
    );
    expect(await calls.session("session_compacting", { reason: "full" })).toEqual([
      { context: ["a"] },
      { context: ["b"] },
    ]);
  });

  test("a cancellation is the last that is heard", async () => {
    let later = 0;
    const { calls } = callsOf(
      { session_before_branch: () => ({ skipConversationRestore: true }) },
      { session_before_branch: () => ({ cancel: true }) },
      { session_before_branch: () => void later++ },
    );
    expect(await calls.session("session_before_branch", { entryId: "1" })).toEqual([
      { skipConversationRestore: true },
      { cancel: true },
    ]);
    expect(later).toBe(0);
  });

  test("notices reach everyone, one after another", async () => {
    const order: string[] = [];
    const { calls } = callsOf(
      {
        session_end: async ({ sessionId }) => {
          await Bun.sleep(2);
          order.push(`first ${sessionId}`);
        },
      },
      { session_end: () => void order.push("second") },
    );
    await calls.notify("session_end", { sessionId: "s", reason: "quit" });
    expect(order).toEqual(["first s", "second"]);
  });
});

describe("a point whose first answer is the answer", () => {
  const cut = async (...handlers: HookHandlers[]) => {
    const { calls, events } = callsOf(...handlers);
    const { added } = await run([{}]);
    const told = { reply: added[0] as AssistantMessage };
    const answer = await calls.first("session_cut_reply", told);
    return { answer, errors: events.length };
  };
  const oops = (): never => {
    throw new Error("oops");
  };

  test("passes over those who have none; nobody after it is heard", async () => {
    let later = 0;
    const outcome = await cut(
      { session_cut_reply: () => undefined },
      { session_cut_reply: async () => false },
      { session_cut_reply: () => void later++ },
    );
    expect(outcome).toEqual({ answer: false, errors: 0 });
    expect(later).toBe(0);
    expect(await cut()).toEqual({ answer: undefined, errors: 0 });
  });

  test("takes an extension that fails for one that has nothing to say, and tells of it", async () => {
    expect(await cut({ session_cut_reply: oops })).toEqual({ answer: undefined, errors: 1 });
  });

  test("fails with the first behaviour that did, unless somebody answers", async () => {
    const hooks = new Hooks();
    for (const [order, message] of ["one", "two"].entries()) {
      hooks.register(
        { kind: "behaviour", name: message, order },
        { session_shorten: () => Promise.reject(new Error(message)) },
      );
    }
    const { signal } = new AbortController();
    const calls = new HookCalls(hooks, { signal, emit: () => {} });
    const asking = calls.first("session_shorten", { reason: "full" });
    expect(await asking.catch((error: Error) => error.message)).toBe("one");
    hooks.register(
      { kind: "extension", name: "helpful" },
      { session_shorten: () => ({ type: "dropped", message: "no need" }) },
    );
    expect(await calls.first("session_shorten", { reason: "full" })).toEqual({
      type: "dropped",
      message: "no need",
    });
  });
});

test("a handler that is deaf to an abort is passed over after a moment, and told of", async () => {
  const abort = new AbortController();
  const hooks = new Hooks();
  hooks.register({ kind: "extension", name: "deaf" }, { context: () => new Promise(() => {}) });
  const events: AgentEvent[] = [];
  const calls = new HookCalls(hooks, { signal: abort.signal, emit: (event) => events.push(event) });
  const messages = [said("a")];
  const asking = calls.context(messages, 1);
  abort.abort();
  expect(await asking).toBe(messages);
  expect(events).toMatchObject([{ behaviour: "deaf", hook: "context" }]);
});

test("has and at agree, at every moment", () => {
  const { calls, hooks } = callsOf({ idle: () => {} });
  const check = (name: HookName, count: number): void => {
    expect([calls.has(name), calls.at(name).length]).toEqual([count > 0, count]);
  };
  check("idle", 1);
  check("reply", 0);
  const stop = hooks.register(
    { kind: "extension", name: "more" },
    { idle: () => {}, reply: () => {} },
  );
  check("idle", 2);
  check("reply", 1);
  stop();
  check("idle", 1);
  check("reply", 0);
});

test("who comes or goes while a point is told does not disturb it", async () => {
  const order: string[] = [];
  const { calls, hooks } = callsOf(
    {
      idle: () => {
        order.push("one");
        hooks.register(
          { kind: "extension", name: "late" },
          { idle: () => void order.push("late") },
        );
      },
    },
    { idle: () => void order.push("two") },
  );
  await calls.notify("idle", { messages: [] });
  expect(order).toEqual(["one", "two"]);
});

describe("while a person is asked", () => {
  const LIMIT_MS = 200;

  /** A handler that asks for twice as long as it may take, and then does `after`. */
  function asking(after: () => Promise<void>) {
    const person = { isAsking: false, totalMs: 0 };
    const hooks = new Hooks();
    const owner = { kind: "extension", name: "gate", person } as const;
    hooks.register(owner, {
      session_before_switch: async () => {
        person.isAsking = true;
        await Bun.sleep(2 * LIMIT_MS);
        person.isAsking = false;
        person.totalMs += 2 * LIMIT_MS;
        await after();
        return { cancel: true };
      },
    });
    const { signal } = new AbortController();
    const events: AgentEvent[] = [];
    const emit = (event: AgentEvent): void => void events.push(event);
    const calls = new HookCalls(hooks, { signal, emit, outsideLimitMs: LIMIT_MS });
    return {
      events,
      ask: () => calls.session("session_before_switch", { from: "a", to: "b", reason: "new" }),
    };
  }

  test("the limit stands still, and the answer counts", async () => {
    const { ask, events } = asking(async () => undefined);
    expect(await ask()).toEqual([{ cancel: true }]);
    expect(events).toEqual([]);
  });

  test("it goes on afterwards", async () => {
    const { ask, events } = asking(() => new Promise(() => {}));
    expect(await ask()).toEqual([]);
    expect(events).toMatchObject([{ type: "hook_error", behaviour: "gate" }]);
  });

  test("nobody is told of waiting for an extension", async () => {
    const { calls, events } = (() => {
      const hooks = new Hooks();
      const person = { isAsking: true, totalMs: 0 };
      const owner = { kind: "extension", name: "gate", person } as const;
      hooks.register(owner, { idle: () => Bun.sleep(SLOW_HOOK_MS + 200) });
      const events: AgentEvent[] = [];
      const { signal } = new AbortController();
      const emit = (event: AgentEvent): void => void events.push(event);
      return { calls: new HookCalls(hooks, { signal, emit }), events };
    })();
    await calls.notify("idle", { messages: [] } as never);
    expect(events).toEqual([]);
  });
});
