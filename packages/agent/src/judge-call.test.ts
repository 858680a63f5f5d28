import { expect, test } from "bun:test";
import { textOf } from "@tau/ai/message";
import type { HookHandlers } from "./hooks.ts";
import { Hooks } from "./hooks.ts";
import type { LoopOptions } from "./loop.ts";
import { echo, run, wordTool } from "./test/scripted-run.ts";
import { ToolTable } from "./tool-table.ts";

type Judge = NonNullable<HookHandlers["tool_call"]>;

async function judged(judges: Record<string, Judge>, options: Partial<LoopOptions> = {}) {
  const hooks = new Hooks();
  for (const [name, judge] of Object.entries(judges)) {
    hooks.register({ kind: "extension", name }, { tool_call: judge });
  }
  const ran: string[] = [];
  const tools = new ToolTable([
    wordTool("echo", "shared", async (word) => {
      ran.push(word);
      return `<${word}>`;
    }),
  ]);
  const outcome = await run([{ toolCalls: [echo("a"), echo("b")] }, {}], {
    tools,
    hooks,
    ...options,
  });
  return { ...outcome, ran, answers: outcome.added.slice(1, 3).map(textOf) };
}

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
