import { describe, expect, test } from "bun:test";
import { textOf } from "@tau/ai/message";
import type { ConsentOffer, Told } from "./hook-points.ts";
import { Hooks } from "./hooks.ts";
import type { ApprovalQuestion } from "./judge-call.ts";
import { judged, type Judge } from "./test/judged.ts";
import { echo, run, wordTool } from "./test/scripted-run.ts";
import { ABORTED_TEXT, ToolTable } from "./tool-table.ts";
import type { CallPreview } from "./tool.ts";

test("a block answers the call with its reason; the neighbour runs", async () => {
  const { ran, answers } = await judged({
    guard: ({ arguments: args }) =>
      args.word === "a" ? { type: "block", reason: "not a" } : undefined,
  });
  expect(ran).toEqual(["b"]);
  expect(answers).toEqual(["not a", "<b>"]);
});

test("a judge that throws blocks, and is reported", async () => {
  const { ran, answers, events } = await judged({
    broken: () => {
      throw new Error("cannot tell");
    },
  });
  expect(ran).toEqual([]);
  expect(answers[0]).toBe("The call was blocked: broken could not judge it (cannot tell).");
  expect(events.some((event) => event.type === "hook_error")).toBe(true);
});

test("rewritten arguments run, are seen by later judges, and leave the log alone", async () => {
  const seen: unknown[] = [];
  const { ran, added } = await judged({
    shout: ({ arguments: args }) => ({ type: "rewrite", arguments: { word: `${args.word}!` } }),
    watch: ({ arguments: args }) => void seen.push(args.word),
  });
  expect(ran).toEqual(["a!", "b!"]);
  expect(seen).toEqual(["a!", "b!"]);
  expect(added[0]).toMatchObject({ content: [{ arguments: { word: "a" } }, {}] });
});

test("arguments rewritten into nonsense block the call", async () => {
  const { ran, answers } = await judged({
    clumsy: () => ({ type: "rewrite", arguments: { wrod: "x" } }),
  });
  expect(ran).toEqual([]);
  expect(answers[0]).toContain("clumsy changed its arguments");
  expect(answers[0]).toContain('did you mean "word"?');
});

test("a person is asked once, after all judges, about what will run", async () => {
  const questions: unknown[] = [];
  const { ran, answers } = await judged(
    {
      careful: () => ({ type: "ask", reason: "it writes" }),
      shout: ({ arguments: args }) => ({ type: "rewrite", arguments: { word: `${args.word}!` } }),
      strict: ({ arguments: args }) =>
        args.word === "b!" ? { type: "block", reason: "no b" } : { type: "ask", reason: "really" },
    },
    {
      ask: async ({ prepared, reasons }) => {
        questions.push([prepared.params, reasons.map(({ reason }) => reason)]);
        return { allowed: true };
      },
    },
  );
  expect(questions).toEqual([[{ word: "a!" }, ["it writes", "really"]]]);
  expect(ran).toEqual(["a!"]);
  expect(answers).toEqual(["<a!>", "no b"]);
});

test("without a person, or without consent, the call is refused with a reason", async () => {
  const careful: Judge = () => ({ type: "ask", reason: "it writes" });
  const alone = await judged({ careful });
  expect(alone.answers[0]).toContain("nobody can be asked");
  const denied = await judged({ careful }, { ask: async () => ({ allowed: false, reason: "no" }) });
  expect(denied.answers).toEqual(["no", "no"]);
  const failing = await judged({ careful }, { ask: () => Promise.reject(new Error("gone")) });
  expect(failing.answers[0]).toContain("asking for consent failed (gone)");
  expect([...alone.ran, ...denied.ran, ...failing.ran]).toEqual([]);
});

test("the question says what the call would do, and an answer may be kept", async () => {
  const kept: string[] = [];
  const questions: ApprovalQuestion[] = [];
  const offer = (name: string): ConsentOffer => ({
    assessment: { tier: "write", subjects: [`${name} it`], guard: "is dangerous" },
    rules: [`allow ${name}`],
    keep: async (scope) => {
      if (name === "full") throw new Error("disk full");
      kept.push(`${name} ${scope}`);
    },
  });
  const ask = (name: string): Judge => {
    return () => ({ type: "ask", reason: name, offer: offer(name) });
  };
  const { ran, events } = await judged(
    { careful: ask("careful"), plain: () => ({ type: "ask", reason: "so" }), full: ask("full") },
    {
      ask: async (question) => {
        questions.push(question);
        return { allowed: true, remember: "always" };
      },
    },
  );
  expect(questions[0]).toMatchObject({
    tier: "write",
    subjects: ["careful it"],
    guard: "is dangerous",
    rules: ["allow careful", "allow full"],
    reasons: [
      { behaviour: "careful", reason: "careful" },
      { behaviour: "plain", reason: "so" },
      { behaviour: "full", reason: "full" },
    ],
  });
  expect(kept).toEqual(["careful always", "careful always"]);
  // What could not be kept is told; what was allowed ran.
  expect(events).toContainEqual({
    type: "hook_error",
    behaviour: "full",
    hook: "tool_call",
    error: new Error("disk full"),
  });
  expect(ran).toEqual(["a", "b"]);
});

test("a preview is made only when it is looked at, and its failure is part of it", async () => {
  let made = 0;
  const tools = new ToolTable([
    {
      ...wordTool("echo", "shared", async (word) => word),
      preview: async (params) => {
        made++;
        if ((params as { word: string }).word === "b") throw new Error("no such file");
        return { files: [{ path: "a", op: "create", diff: "+a" }] };
      },
    },
  ]);
  const previews: (CallPreview | undefined)[] = [];
  const careful: Judge = () => ({ type: "ask", reason: "it writes" });
  await judged({ careful }, { tools, ask: async () => ({ allowed: true }) });
  expect(made).toBe(0);
  await judged(
    { careful },
    {
      tools,
      ask: async ({ preview }) => {
        previews.push(await preview?.());
        return { allowed: true };
      },
    },
  );
  expect(previews).toEqual([
    { files: [{ path: "a", op: "create", diff: "+a" }] },
    { files: [], problem: "no such file" },
  ]);
});

test("a judge is told the call, its arguments as they are now, and the tool", async () => {
  const told: Told<"tool_call">[] = [];
  const { ran } = await judged({
    shout: ({ arguments: args }) => ({ type: "rewrite", arguments: { word: `${args.word}!` } }),
    watch: (call) => void told.push(call),
  });
  expect(told[0]).toMatchObject({
    call: { id: "call_1_1", arguments: { word: "a" } },
    arguments: { word: "a!" },
    params: { word: "a!" },
    tool: { name: "echo" },
  });
  expect(ran).toEqual(["a!", "b!"]);
});

test("a call that does not fit is put to nobody", async () => {
  let heard = 0;
  const hooks = new Hooks();
  hooks.register({ kind: "extension", name: "watch" }, { tool_call: () => void heard++ });
  const { added } = await run([{ toolCalls: [{ name: "echo" }, { name: "gone" }] }, {}], { hooks });
  expect(heard).toBe(0);
  expect(added[1]).toMatchObject({ isError: true });
});

test("a judge that throws anything is quoted", async () => {
  const { answers } = await judged({
    broken: () => {
      throw "just words";
    },
  });
  expect(answers[0]).toBe("The call was blocked: broken could not judge it (just words).");
});

test("a question of nobody who looked closely is at the tool's word", async () => {
  const questions: ApprovalQuestion[] = [];
  await judged(
    { careful: () => ({ type: "ask", reason: "it writes" }) },
    {
      ask: async (question) => {
        questions.push(question);
        return { allowed: true };
      },
    },
  );
  const [question] = questions;
  expect(question).toMatchObject({
    tier: "read",
    subjects: [],
    rules: [],
    call: { id: "call_1_1" },
  });
  expect(question!.prepared.tool.name).toBe("echo");
  expect(question!.guard).toBeUndefined();
  expect(question!.preview).toBeUndefined();
});

test("a refusal without words of its own says who wanted to know", async () => {
  const { answers, ran } = await judged(
    {
      careful: () => ({ type: "ask", reason: "it writes" }),
      strict: () => ({ type: "ask", reason: "it is late" }),
    },
    { ask: async () => ({ allowed: false }) },
  );
  expect(answers[0]).toBe("Refused by the user (it writes; it is late).");
  expect(ran).toEqual([]);
});

describe("an abort", () => {
  const careful: Judge = () => ({ type: "ask", reason: "it writes" });

  test("before the question is put leaves it unput", async () => {
    const abort = new AbortController();
    let asked = 0;
    const { answers } = await judged(
      {
        careful: (call, context) => {
          abort.abort();
          return careful(call, context);
        },
      },
      {
        signal: abort.signal,
        ask: async () => {
          asked++;
          return { allowed: true };
        },
      },
    );
    expect(answers[0]).toBe(ABORTED_TEXT);
    expect(asked).toBe(0);
  });

  test("while it is put ends it, and nothing runs", async () => {
    const abort = new AbortController();
    const { answers, ran } = await judged(
      { careful },
      {
        signal: abort.signal,
        ask: (_question, { signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(new Error("closed")));
            abort.abort();
          }),
      },
    );
    expect(answers[0]).toBe(ABORTED_TEXT);
    expect(ran).toEqual([]);
  });

  test("ends a question that nobody closes", async () => {
    const abort = new AbortController();
    const { answers, end } = await judged(
      { careful },
      {
        signal: abort.signal,
        ask: () => {
          abort.abort();
          return new Promise(() => {});
        },
      },
    );
    expect(answers[0]).toBe(ABORTED_TEXT);
    expect(end).toEqual({ reason: "aborted" });
  });
});

test("a question whose asking failed says how, whatever was thrown", async () => {
  const careful: Judge = () => ({ type: "ask", reason: "it writes" });
  const { answers } = await judged({ careful }, { ask: () => Promise.reject("no terminal") });
  expect(answers[0]).toBe("Refused: asking for consent failed (no terminal).");
});

/** A judge that asks, and is told how long the consent holds. */
function askingToKeep(keep: ConsentOffer["keep"]): Judge {
  const offer: ConsentOffer = {
    assessment: { tier: "write", subjects: [] },
    rules: ["allow it"],
    keep,
  };
  return () => ({ type: "ask", reason: "it writes", offer });
}

test("consent to one call is not kept", async () => {
  const kept: string[] = [];
  await judged(
    { careful: askingToKeep(async (scope) => void kept.push(scope)) },
    { ask: async () => ({ allowed: true }) },
  );
  expect(kept).toEqual([]);
});

test("what is kept is kept before the call runs", async () => {
  const order: string[] = [];
  await judged(
    {
      careful: askingToKeep(async () => {
        await Bun.sleep(2);
        order.push("kept");
      }),
    },
    {
      ask: async () => ({ allowed: true, remember: "session" }),
      emit: ({ type }) => {
        if (type === "tool_execution_start") order.push("start");
      },
    },
  );
  expect(order).toEqual(["kept", "kept", "start", "start"]);
});

test("a preview that fails with anything says what", async () => {
  const previews: (CallPreview | undefined)[] = [];
  const tools = new ToolTable([
    {
      ...wordTool("echo", "shared", async (word) => word),
      preview: () => Promise.reject("no such thing"),
    },
  ]);
  await judged(
    { careful: () => ({ type: "ask", reason: "it writes" }) },
    {
      tools,
      ask: async ({ preview }) => {
        previews.push(await preview?.());
        return { allowed: false };
      },
    },
  );
  expect(previews[0]).toEqual({ files: [], problem: "no such thing" });
});

test("all neighbours are judged before the first one starts", async () => {
  const order: string[] = [];
  const hooks = new Hooks();
  hooks.register(
    { kind: "extension", name: "watch" },
    { tool_call: ({ call }) => void order.push(`judge ${call.id}`) },
  );
  await run([{ toolCalls: [echo("a"), echo("b")] }, {}], {
    hooks,
    emit: (event) => {
      if (event.type === "tool_execution_start") order.push(`start ${event.call.id}`);
    },
  });
  expect(order).toEqual(["judge call_1_1", "judge call_1_2", "start call_1_1", "start call_1_2"]);
});

test("result handlers chain, on failed calls too", async () => {
  const hooks = new Hooks();
  for (const [secret, word] of [
    ["hush", "[1]"],
    ["quiet", "[2]"],
  ] as const) {
    hooks.register(
      { kind: "extension", name: secret },
      {
        tool_result: ({ result }) => ({
          content: result.content.map((block) =>
            block.type === "text" ? { ...block, text: block.text.replace(secret, word) } : block,
          ),
        }),
      },
    );
  }
  const tools = new ToolTable([
    wordTool("echo", "shared", async (word) => {
      if (word === "fail") throw new Error("hush and quiet");
      return "hush and quiet";
    }),
  ]);
  const { added } = await run([{ toolCalls: [echo("ok"), echo("fail")] }, {}], { hooks, tools });
  expect(added.slice(1, 3).map(textOf)).toEqual([
    "[1] and [2]",
    "The tool echo broke: [1] and [2]",
  ]);
});
