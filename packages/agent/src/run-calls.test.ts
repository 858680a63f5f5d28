// The calls of one turn: what starts, what does not, and what is told of each.

import { describe, expect, test } from "bun:test";
import { modelFailure } from "@tau/ai/error";
import { textOf, userText } from "@tau/ai/message";
import type { ScriptedReply } from "@tau/testkit/script";
import type { AgentEvent } from "./event.ts";
import { Hooks, type HookHandlers } from "./hooks.ts";
import type { LoopOptions } from "./loop.ts";
import { Mailbox } from "./mailbox.ts";
import type { RanCall } from "./record.ts";
import { echo, run, wordTool } from "./test/scripted-run.ts";
import { ABORTED_TEXT, ToolTable } from "./tool-table.ts";
import { defineJsonTool, textOutput, type ToolContext, type ToolOutput } from "./tool.ts";

function hooksWith(handlers: HookHandlers): Hooks {
  const hooks = new Hooks();
  hooks.register({ kind: "behaviour", name: "b", order: 1 }, handlers);
  return hooks;
}

/** The life of each call, as events tell it. */
function lifeIn(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === "tool_execution_start") return [`start ${event.call.id}`];
    if (event.type === "tool_execution_end")
      return [`end ${event.call.id}: ${textOf(event.result)}`];
    return [];
  });
}

describe("once a result could not be written down", () => {
  test("no further tool starts, and each call that did not is told as aborted", async () => {
    const ran: string[] = [];
    const events: AgentEvent[] = [];
    const tools = new ToolTable([
      wordTool("echo", "exclusive", async (word) => {
        ran.push(word);
        // The disk is slower than a short call.
        await Bun.sleep(1);
        return word;
      }),
    ]);
    let writes = 0;
    const failing = run([{ toolCalls: ["a", "b", "c", "d"].map(echo) }], {
      prompt: [userText("hi", 0)],
      tools,
      // The prompt, the reply, then the result of the first call.
      record: async () => {
        if (++writes === 3) throw new Error("disk full");
      },
      emit: (event) => events.push(event),
    });
    expect(await failing.catch((error: Error) => error.message)).toBe("disk full");
    expect(ran).toEqual(["a", "b"]);
    expect(lifeIn(events).slice(-2)).toEqual([
      `end call_1_3: ${ABORTED_TEXT}`,
      `end call_1_4: ${ABORTED_TEXT}`,
    ]);
    // What was not written down is not part of the conversation.
    const told = events.filter((event) => event.type === "message_end");
    expect(told.map(({ message }) => message.role)).toEqual(["user", "assistant"]);
    expect(events.at(-1)).toEqual({ type: "agent_end", end: { reason: "failed" } });
  });

  test("the next reply is not asked for, also where the last call's result is the one", async () => {
    let requests = 0;
    let writes = 0;
    const failing = run([{ toolCalls: [echo("a")] }, { text: "never" }], {
      prompt: [userText("hi", 0)],
      record: async () => {
        await Bun.sleep(1);
        if (++writes === 3) throw new Error("disk full");
      },
      emit: ({ type }) => {
        if (type === "message_start") requests++;
      },
    });
    expect(await failing.catch((error: Error) => error.message)).toBe("disk full");
    expect(requests).toBe(1);
  });
});

test("every call is told from its start to its end", async () => {
  const { events, added } = await run([{ toolCalls: [echo("a"), { name: "gone" }] }, {}]);
  const gone = 'There is no tool "gone". The tools are: echo.';
  expect(lifeIn(events)).toEqual([
    "start call_1_1",
    "start call_1_2",
    `end call_1_2: ${gone}`,
    "end call_1_1: <a>",
  ]);
  const ends = events.filter((event) => event.type === "tool_execution_end");
  expect(ends.map(({ result }) => result)).toEqual([
    added[2],
    added[1],
  ] as (typeof ends)[0]["result"][]);
  const told = JSON.parse(JSON.stringify(ends[1]!)) as object;
  expect(Object.keys(told).toSorted()).toEqual(["call", "durationMs", "result", "type"]);
});

test("what a tool gives besides its text is told, and never sent to the model", async () => {
  const tools = new ToolTable(
    [
      defineJsonTool({
        name: "work",
        description: "",
        parameters: { type: "object" },
        tier: "read",
        concurrency: "shared",
        execute: async ({ kind }): Promise<ToolOutput> => {
          if (kind === "bug") throw new TypeError("no such thing");
          return kind === "long"
            ? textOutput("x\n".repeat(50_000))
            : textOutput("ok", { lines: 1 });
        },
      }),
    ],
    { spill: () => ({ id: "7" }) },
  );
  const calls = ["details", "long", "bug"].map((kind) => ({ name: "work", arguments: { kind } }));
  const { events, requests } = await run([{ toolCalls: calls }, {}], { tools });
  const ends = events.filter((event) => event.type === "tool_execution_end");
  expect(ends.find(({ call }) => call.id === "call_1_1")!.details).toEqual({ lines: 1 });
  expect(ends.find(({ call }) => call.id === "call_1_2")!.artifactId).toBe("7");
  expect(ends.find(({ call }) => call.id === "call_1_3")!.bug).toBeInstanceOf(TypeError);
  for (const message of requests[1]!.messages.slice(2)) {
    expect(Object.keys(message).toSorted()).toEqual(
      ["content", "isError", "role", "timestamp", "toolCallId", "toolName"].toSorted(),
    );
  }
});

describe("what people saw of a call", () => {
  const recorded = async (replies: ScriptedReply[], options: Partial<LoopOptions> = {}) => {
    const ran: (RanCall | undefined)[] = [];
    const outcome = await run(replies, {
      prompt: [userText("hi", 0)],
      record: async (items) => {
        for (const item of items) {
          if (item.type === "message" && item.message.role === "toolResult") ran.push(item.ran);
        }
      },
      ...options,
    });
    return { ...outcome, ran };
  };

  test("is recorded with its result: that it ran, for how long, and what the tool said", async () => {
    const tools = new ToolTable([
      defineJsonTool({
        name: "work",
        description: "",
        parameters: { type: "object" },
        tier: "read",
        concurrency: "shared",
        execute: async () => {
          await Bun.sleep(20);
          return { ...textOutput("ok", { lines: 1 }), artifactId: "7" };
        },
      }),
    ]);
    const { ran, events } = await recorded([{ toolCalls: [{ name: "work" }] }, {}], { tools });
    expect(ran).toEqual([
      { wasRun: true, durationMs: expect.any(Number), details: { lines: 1 }, artifactId: "7" },
    ] as RanCall[]);
    expect(ran[0]!.durationMs).toBeGreaterThan(15);
    expect(ran[0]!.durationMs).toBeLessThan(10_000);
    expect(Number.isInteger(ran[0]!.durationMs)).toBe(true);
    const end = events.find((event) => event.type === "tool_execution_end");
    expect(end!.durationMs).toBe(ran[0]!.durationMs);
  });

  test("is nothing where it was not begun", async () => {
    const abort = new AbortController();
    const skipped = await recorded([{ toolCalls: [echo("a")] }], {
      signal: abort.signal,
      hooks: hooksWith({ reply: () => abort.abort() }),
    });
    expect(skipped.ran).toEqual([{ wasRun: false }]);
    const end = skipped.events.find((event) => event.type === "tool_execution_end");
    expect(end!.durationMs).toBeUndefined();
    const broken = await recorded([
      { toolCalls: [echo("a")], streamError: modelFailure("network", "gone") },
    ]);
    expect(broken.ran).toEqual([{ wasRun: false }]);
  });

  test("leaves out what is put behind the result for the model alone", async () => {
    const replies = Array.from({ length: 2 }, () => ({ toolCalls: [echo("a")] }));
    const { ran } = await recorded([...replies, {}], { repeats: { warnAfter: 2, stopAfter: 9 } });
    expect(ran.map((call) => call?.forModel)).toEqual([undefined, 1]);
    expect("forModel" in ran[0]!).toBe(false);
  });
});

test("progress is told with the call it belongs to, and whether it replaces what was told", async () => {
  const tools = new ToolTable([
    defineJsonTool({
      name: "work",
      description: "",
      parameters: { type: "object" },
      tier: "read",
      concurrency: "shared",
      execute: async (_params, { update }: ToolContext) => {
        update("more");
        update("50 %", "replace");
        return textOutput("done");
      },
    }),
  ]);
  const { events } = await run([{ toolCalls: [{ name: "work" }] }, {}], { tools });
  const updates = events.filter((event) => event.type === "tool_execution_update");
  expect(updates).toEqual([
    { type: "tool_execution_update", callId: "call_1_1", text: "more" },
    { type: "tool_execution_update", callId: "call_1_1", text: "50 %", replaces: true },
  ]);
  expect(updates[0]).toHaveProperty("replaces", undefined);
});

test("the calls of a reply that broke off are answered, and told without a start", async () => {
  const { events, added } = await run([
    { toolCalls: [echo("a"), echo("b")], streamError: modelFailure("network", "gone") },
  ]);
  const why = "Not run: the reply broke off.";
  expect(lifeIn(events)).toEqual([`end call_1_1: ${why}`, `end call_1_2: ${why}`]);
  expect(added.slice(1)).toMatchObject([
    { role: "toolResult", toolCallId: "call_1_1", toolName: "echo", isError: true },
    { role: "toolResult", toolCallId: "call_1_2", toolName: "echo", isError: true },
  ]);
  expect(events.find((event) => event.type === "turn_end")).toEqual({
    type: "turn_end",
    turn: 1,
    message: added[0],
    results: added.slice(1),
  } as Extract<AgentEvent, { type: "turn_end" }>);
});

test("a signal that is stopped before the first call starts none, and one in a call reaches it", async () => {
  const abort = new AbortController();
  const ran: string[] = [];
  const tools = new ToolTable([
    wordTool("echo", "shared", async (word, signal) => {
      ran.push(word);
      setTimeout(() => abort.abort(), 1);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return `${word} stopped`;
    }),
  ]);
  const { added } = await run([{ toolCalls: [echo("a")] }], { tools, signal: abort.signal });
  expect(added.slice(1).map(textOf)).toEqual(["a stopped"]);
  const before = new AbortController();
  const other = await run([{ toolCalls: [echo("b")] }], {
    tools,
    signal: before.signal,
    hooks: hooksWith({ reply: () => before.abort() }),
  });
  expect(other.added.slice(1).map(textOf)).toEqual([ABORTED_TEXT]);
  expect(lifeIn(other.events)).toEqual([`end call_1_1: ${ABORTED_TEXT}`]);
  expect(ran).toEqual(["a"]);
});

describe("steering", () => {
  const steered = async (options: Partial<LoopOptions>, when: "judged" | "asked") => {
    const mailbox = new Mailbox();
    const post = (): void =>
      void mailbox.post(userText("stop", 0), { delivery: "steer", sender: "user" });
    const { added } = await run([{ toolCalls: [echo("a"), echo("b")] }, {}], {
      mailbox,
      tools: new ToolTable([wordTool("echo", "exclusive", async (word) => word)]),
      hooks: hooksWith({
        reply: ({ turn }) => {
          if (when === "asked" && turn === 1) post();
        },
        tool_call: ({ call }) => {
          if (when === "judged" && call.id === "call_1_1") post();
        },
      }),
      ...options,
    });
    return added.slice(1, 3).map(textOf);
  };
  const skipped = expect.stringContaining("a new message came in first");

  test("that came while the model spoke skips all of its calls", async () => {
    expect(await steered({}, "asked")).toEqual([skipped, skipped]);
    expect(await steered({ interrupt: "wait" }, "asked")).toEqual(["a", "b"]);
  });

  test("that came while a call was judged skips those after it", async () => {
    expect(await steered({}, "judged")).toEqual(["a", skipped]);
  });
});

describe("result handlers", () => {
  const told: unknown[] = [];
  const rewriting = hooksWith({
    tool_result: ({ call, result, details }) => {
      told.push([call.id, textOf(result), details]);
      if (call.id === "call_1_2") return undefined;
      return { content: [{ type: "text", text: "other" }], isError: true, details: "mine" };
    },
  });

  test("say what the model, the log and whoever watches see instead", async () => {
    const { added, events } = await run([{ toolCalls: [echo("a"), echo("b")] }, {}], {
      hooks: rewriting,
    });
    expect(told).toEqual([
      ["call_1_1", "<a>", undefined],
      ["call_1_2", "<b>", undefined],
    ]);
    expect(added.slice(1, 3)).toMatchObject([
      { content: [{ type: "text", text: "other" }], isError: true, toolCallId: "call_1_1" },
      { content: [{ type: "text", text: "<b>" }], isError: false },
    ]);
    const ends = events.filter((event) => event.type === "tool_execution_end");
    expect(ends.map(({ details }) => details).toSorted()).toEqual(["mine", undefined]);
  });

  test("hear of calls that were skipped", async () => {
    const heard: string[] = [];
    const abort = new AbortController();
    await run([{ toolCalls: [echo("a")] }], {
      signal: abort.signal,
      hooks: hooksWith({
        reply: () => abort.abort(),
        tool_result: ({ result }) => void heard.push(textOf(result)),
      }),
    });
    expect(heard).toEqual([ABORTED_TEXT]);
  });
});
