// Answers that a point does not know: told by name, and as if nothing had been said. At `tool_call` they
// block (judge-call.test.ts).

import { describe, expect, test } from "bun:test";
import { textOf, userText, type AssistantMessage, type ToolCallBlock } from "@tau/ai/message";
import { modelFailure } from "@tau/ai/error";
import type { AgentEvent } from "./event.ts";
import { checkAnswer, UnknownAnswer } from "./hook-answers.ts";
import { HookCalls } from "./hook-calls.ts";
import type { HookName } from "./hook-points.ts";
import { Hooks } from "./hooks.ts";
import { model } from "./test/scripted-run.ts";
import { thenable } from "./test/thenable.ts";
import { refusal } from "./tool-table.ts";

const message = userText("hi", 0);
const call: ToolCallBlock = { type: "toolCall", id: "c", name: "t", arguments: {} };

const KNOWN: Partial<Record<HookName, readonly unknown[]>> = {
  input: [{ type: "transform", message }, { type: "consume" }],
  run_start: [{}, { messages: [message] }, { request: { maxOutput: 1 } }, { callModel: () => {} }],
  context: [[], [message]],
  request: [{}, { maxOutput: 1 }],
  stream: [
    { type: "stop", reason: "no", partial: "keep" },
    { type: "stop", reason: "no", partial: "discard", messages: [message] },
  ],
  tool_call: [
    { type: "allow" },
    { type: "ask", reason: "why" },
    { type: "ask", reason: "why", offer: {} },
    { type: "block", reason: "no" },
    { type: "rewrite", arguments: {} },
  ],
  tool_result: [{}, { content: [{ type: "text", text: "a" }] }, { isError: true }, { details: 1 }],
  turn_end: [
    { type: "continue", messages: [message] },
    { type: "compact", reason: "full" },
    { type: "stop", reason: "enough" },
  ],
  failure: [{ type: "retry" }, { type: "compact" }, { type: "give_up" }],
  session_before_switch: [{ cancel: true }],
  session_before_branch: [{ cancel: true }, { skipConversationRestore: true }],
  session_before_compact: [{ cancel: true }],
  session_before_tree: [{ cancel: true }],
  session_compacting: [{ context: ["a"] }],
  session_handing_over: [{ entries: [] }],
};

/** Of no point's answers. */
const NEVER = [7, "stop", () => {}];
const UNTYPED = [{}, { type: "deny" }, { type: "toString" }, { type: 1 }, []];

const UNKNOWN: Partial<Record<HookName, readonly unknown[]>> = {
  input: [
    ...UNTYPED,
    { type: "transform" },
    { type: "transform", message: "hi" },
    { type: "transform", message: null },
    { type: "transform", message: { role: "user", content: "hi" } },
    { type: "transform", message: { content: [] } },
    { type: "transform", message: { role: "user", content: ["hi"] } },
    { type: "transform", message: { role: "user", content: [{ text: "hi" }] } },
  ],
  run_start: [
    [],
    { messages: "hi" },
    { messages: [1] },
    { messages: null },
    { request: 1 },
    { callModel: "x" },
  ],
  context: [{}, [1], "hi"],
  request: [[], "x"],
  stream: [
    ...UNTYPED,
    { type: "stop" },
    { type: "stop", partial: "keep" },
    { type: "stop", reason: "no" },
    { type: "stop", reason: "no", partial: "half" },
    { type: "stop", reason: "no", partial: "keep", messages: 1 },
  ],
  tool_call: [
    ...UNTYPED,
    { type: "ask" },
    { type: "ask", reason: "why", offer: 1 },
    { type: "block" },
    { type: "rewrite" },
    { type: "rewrite", arguments: [] },
  ],
  tool_result: [[], { content: "text" }, { content: [1] }, { content: [null] }, { isError: "no" }],
  turn_end: [
    ...UNTYPED,
    { type: "continue" },
    { type: "continue", messages: [1] },
    { type: "compact" },
    { type: "stop" },
  ],
  failure: UNTYPED,
  session_before_switch: [[]],
  session_before_branch: [[]],
  session_before_compact: [[]],
  session_before_tree: [[]],
  session_compacting: [[]],
  session_handing_over: [[], {}, { entries: 1 }],
};

test("the answers of the types are known", () => {
  for (const [hook, answers] of Object.entries(KNOWN)) {
    for (const answer of [undefined, ...answers]) checkAnswer(hook as HookName, answer);
  }
  expect(Object.keys(UNKNOWN)).toEqual(Object.keys(KNOWN));
});

describe.each(Object.entries(UNKNOWN) as [HookName, unknown[]][])("at %s", (hook, answers) => {
  test.each([...NEVER, ...answers].map((answer) => [answer]))("%p is not known", (answer) => {
    let error: unknown;
    try {
      checkAnswer(hook, answer);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(UnknownAnswer);
    expect(error).toMatchObject({ name: "UnknownAnswer", hook });
    expect((error as Error).message).toContain(hook);
  });
});

test("a point that only takes note takes anything", () => {
  expect(() => checkAnswer("idle", 7)).not.toThrow();
});

function callsOf(answer: unknown) {
  const hooks = new Hooks();
  const names = Object.keys(UNKNOWN) as HookName[];
  const handlers = Object.fromEntries(names.map((name) => [name, () => answer]));
  hooks.register({ kind: "extension", name: "odd" }, handlers);
  const events: AgentEvent[] = [];
  const { signal } = new AbortController();
  return {
    calls: new HookCalls(hooks, { signal, emit: (event) => events.push(event) }),
    events,
  };
}

test.each([["yes"], [7], [{ type: "deny" }], [[1]]] as [unknown][])(
  "%p is told with the handler's name, and ignored",
  async (answer) => {
    const { calls, events } = callsOf(answer);
    expect(await calls.input(message, "user")).toBe(message);
    expect(await calls.context([message], 1)).toEqual([message]);
    expect(calls.stream({ type: "start" }, 1)).toBeUndefined();
    const reply: AssistantMessage = {
      role: "assistant",
      content: [],
      provider: "p",
      model: "m",
      wire: model.wire,
      stopReason: "stop",
      usage: {} as AssistantMessage["usage"],
      timestamp: 0,
    };
    const told = { turn: 1, message: reply, results: [], messages: [] };
    expect(await calls.turnEnd(told)).toEqual({ messages: [] });
    const failure = modelFailure("network", "gone");
    expect(
      await calls.failure({ failure, reply, attempt: 1, turn: 1, mayCompact: true }),
    ).toBeUndefined();
    const errors = events.filter((event) => event.type === "hook_error");
    expect(errors.map(({ behaviour, hook }) => `${behaviour} ${hook}`)).toEqual([
      "odd input",
      "odd context",
      "odd stream",
      "odd turn_end",
      "odd failure",
    ]);
    for (const { error } of errors) expect(error).toBeInstanceOf(UnknownAnswer);
  },
);

test("options, results and a session's answers that are not objects are ignored too", async () => {
  const { calls, events } = callsOf("yes");
  const request = { model, system: [], stream: true, messages: [], tools: [] };
  expect(await calls.runStart({ messages: [], request })).toEqual({ messages: [] });
  expect(await calls.request(request, 1)).toEqual(request);
  expect(textOf((await calls.toolResult(call, refusal(call, "no"), { wasRun: true })).result)).toBe(
    "no",
  );
  expect(await calls.session("session_compacting", { reason: "full" })).toEqual([]);
  expect(events).toHaveLength(4);
});

test("an answer may come from a promise of any make", async () => {
  const { calls } = callsOf(thenable((give) => give({ type: "consume" })));
  expect(await calls.input(message, "user")).toBeUndefined();
  expect(calls.stream({ type: "start" }, 1)).toBeUndefined();
});

test("a thenable that fails after a reply went on is told", async () => {
  const error = new Error("late");
  const { calls, events } = callsOf(thenable((_give, fail) => fail(error)));
  expect(calls.stream({ type: "start" }, 1)).toBeUndefined();
  await Bun.sleep(0);
  expect(events).toEqual([{ type: "hook_error", behaviour: "odd", hook: "stream", error }]);
});
