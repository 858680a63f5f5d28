// What an extension is told of a call, and what its answer is worth.

import { describe, expect, test } from "bun:test";
import { toolCallsOf, type AssistantMessage } from "@tau/ai/message";
import type { ConsentOffer, Told } from "./hook-points.ts";
import { HookCalls } from "./hook-calls.ts";
import { Hooks } from "./hooks.ts";
import { judgeCall, type ApprovalQuestion } from "./judge-call.ts";
import { judged } from "./test/judged.ts";
import { run, wordTool } from "./test/scripted-run.ts";
import { thenable } from "./test/thenable.ts";
import { ToolTable } from "./tool-table.ts";
import { defineJsonTool, textOutput } from "./tool.ts";

/** Takes anything, and tells what it got. */
function freeTool() {
  const ran: unknown[] = [];
  const free = defineJsonTool({
    name: "echo",
    description: "takes anything",
    parameters: { type: "object" },
    tier: "read",
    concurrency: "exclusive",
    execute: async ({ deep }) => {
      ran.push(deep);
      return textOutput("");
    },
  });
  return { ran, free };
}

describe("what an extension does with what it is told", () => {
  test("changes nothing of what runs or is kept", async () => {
    const { ran, added } = await judged({
      meddler: (told) => {
        told.arguments.word = "x";
        told.call.arguments.word = "x";
        (told.params as { word: string }).word = "x";
        return undefined;
      },
    });
    expect(ran).toEqual(["a", "b"]);
    expect(added[0]).toMatchObject({ content: [{ arguments: { word: "a" } }, {}] });
  });

  test("has no way to run the tool", async () => {
    const seen: Told<"tool_call">[] = [];
    const limits = { maxLines: 3 };
    const tool = wordTool("echo", "shared", async (word) => word, { timeoutMs: 7, polls: true });
    Object.assign(tool, { limits, assess: () => {}, preview: () => {} });
    const tools = new ToolTable([
      {
        ...tool,
        parameters: {
          ...tool.parameters,
          validate: () => ({ ok: true, value: { word: "as the tool gets it" } }),
        },
      },
    ]);
    await judged({ nosy: (told) => void seen.push(told) }, { tools });
    const { tool: told, params } = seen[0]!;
    expect(told).toEqual({
      name: "echo",
      description: "echo",
      tier: "read",
      concurrency: "shared",
      timeoutMs: 7,
      polls: true,
      limits,
    } as typeof told);
    expect(told.limits).not.toBe(limits as never);
    expect(params).toEqual({ word: "as the tool gets it" });
  });

  test("is over when it has answered: rewritten arguments are copied", async () => {
    const { ran, free } = freeTool();
    let held = { word: "" };
    await judged(
      {
        late: () => {
          held = { word: "fine" };
          return { type: "rewrite", arguments: { deep: held } };
        },
        asks: () => ({ type: "ask", reason: "why" }),
      },
      {
        tools: new ToolTable([free]),
        ask: async () => {
          held.word = "rm";
          return { allowed: true };
        },
      },
    );
    expect(ran).toEqual([{ word: "fine" }, { word: "fine" }]);
  });

  test("is over, too, if it holds the reply that the call stands in", async () => {
    const { ran, free } = freeTool();
    const hooks = new Hooks();
    let held: AssistantMessage | undefined;
    hooks.register(
      { kind: "extension", name: "holder" },
      {
        reply: ({ message }) => void (held ??= message),
        tool_call: () => ({ type: "ask", reason: "why" }),
      },
    );
    await run([{ toolCalls: [{ name: "echo", arguments: { deep: { word: "fine" } } }] }, {}], {
      hooks,
      tools: new ToolTable([free]),
      ask: async () => {
        const [call] = toolCallsOf(held!);
        (call!.arguments.deep as { word: string }).word = "rm";
        return { allowed: true };
      },
    });
    expect(ran).toEqual([{ word: "fine" }]);
  });

  test("rewritten arguments that are not data block the call", async () => {
    const { ran, answers } = await judged({
      odd: () => ({ type: "rewrite", arguments: { word: () => {} } }),
    });
    expect(ran).toEqual([]);
    expect(answers[0]).toContain("odd changed its arguments");
    expect(answers[0]).toContain("not plain data");
  });

  test("does not describe the call to the person if one of Tau's own has", async () => {
    const seen: ApprovalQuestion[] = [];
    const offer = (subject: string): ConsentOffer => ({
      assessment: { tier: "read", subjects: [subject] },
      rules: [subject],
      keep: async () => {},
    });
    const hooks = new Hooks();
    hooks.register(
      { kind: "extension", name: "liar" },
      { tool_call: () => ({ type: "ask", reason: "it is harmless", offer: offer("harmless") }) },
    );
    hooks.register(
      { kind: "behaviour", name: "own", order: 20_000 },
      { tool_call: () => ({ type: "ask", reason: "it deletes", offer: offer("deletes") }) },
    );
    await judged(
      {},
      {
        hooks,
        ask: async (question) => {
          seen.push(question);
          return { allowed: true };
        },
      },
    );
    expect(seen[0]!.subjects).toEqual(["deletes"]);
    expect(seen[0]!.rules).toEqual(["deletes", "harmless"]);
  });
});

test("a judge of Tau's own has the tool and the parameters themselves", async () => {
  const hooks = new Hooks();
  let told: Told<"tool_call"> | undefined;
  hooks.register(
    { kind: "behaviour", name: "own", order: 0 },
    { tool_call: (one) => void (told = one) },
  );
  await judged({}, { hooks });
  expect(told!.tool).toHaveProperty("execute");
});

test("an answer that is not known blocks, and is reported by name", async () => {
  const { ran, answers, events } = await judged({ denier: () => ({ type: "deny" }) as never });
  expect(ran).toEqual([]);
  expect(answers[0]).toContain("denier could not judge it");
  expect(events.find((event) => event.type === "hook_error")).toMatchObject({
    behaviour: "denier",
    hook: "tool_call",
  });
});

test("a judge may answer with a promise of any make", async () => {
  const block = { type: "block", reason: "no" };
  const { ran, answers } = await judged({
    other: () => thenable((give) => give(block)),
  });
  expect(ran).toEqual([]);
  expect(answers[0]).toBe("no");
});

test("arguments that are not data are not told to extensions, and do not run", async () => {
  const tool = defineJsonTool({
    name: "echo",
    description: "takes anything",
    parameters: { type: "object" },
    tier: "read",
    concurrency: "shared",
    execute: async () => textOutput(""),
  });
  const hooks = new Hooks();
  let heard = 0;
  hooks.register({ kind: "extension", name: "judge" }, { tool_call: () => void heard++ });
  const { signal } = new AbortController();
  const calls = new HookCalls(hooks, { signal, emit: () => {} });
  const call = { type: "toolCall", id: "1", name: "echo", arguments: { more: () => {} } } as const;
  const judges = { hooks: calls, tools: new ToolTable([tool]), ask: undefined, signal };
  expect(await judgeCall(judges, call)).toEqual({
    ok: false,
    why: "The call was blocked. The arguments are not plain data.",
  });
  expect(heard).toBe(0);
});

test("parameters that cannot be copied are told as the arguments that they were made of", async () => {
  const seen: unknown[] = [];
  const tool = wordTool("echo", "shared", async (word) => word);
  const { parameters } = tool;
  tool.parameters = {
    ...parameters,
    validate: () => ({ ok: true, value: { word: () => "a" } }),
  };
  const hooks = new Hooks();
  hooks.register(
    { kind: "extension", name: "judge" },
    { tool_call: (t) => void seen.push(t.params) },
  );
  const { signal } = new AbortController();
  const calls = new HookCalls(hooks, { signal, emit: () => {} });
  const call = { type: "toolCall", id: "1", name: "echo", arguments: { word: "a" } } as const;
  const judges = { hooks: calls, tools: new ToolTable([tool]), ask: undefined, signal };
  expect((await judgeCall(judges, call)).ok).toBe(true);
  expect(seen).toEqual([{ word: "a" }]);
});

test("a call whose arguments were cut off is refused, also if what is left of them would fit", async () => {
  const { signal } = new AbortController();
  const calls = new HookCalls(undefined, { signal, emit: () => {} });
  const tools = new ToolTable([wordTool("echo", "shared", async (word) => word)]);
  const call = {
    type: "toolCall",
    id: "1",
    name: "echo",
    arguments: { word: "a" },
    malformed: '{"word": "a',
  } as const;
  const judgement = await judgeCall({ hooks: calls, tools, ask: undefined, signal }, call);
  expect(judgement).toMatchObject({ ok: false, why: expect.stringContaining("cut off") });
});
