import { expect, test } from "bun:test";
import type { ToolCallBlock } from "@tau/ai/message";
import { integer, minValue, number, optional, pipe, strictObject, string } from "valibot";
import { ToolTable } from "./tool-table.ts";
import { defineTool, textOutput, ToolError } from "./tool.ts";

const parameters = strictObject({
  path: string(),
  limit: optional(pipe(number(), integer(), minValue(1))),
});

const seen: unknown[] = [];
const table = new ToolTable([
  defineTool({
    name: "look",
    description: "Looks.",
    parameters,
    tier: "read",
    concurrency: "shared",
    async execute(params, { signal }) {
      seen.push(params);
      if (params.path === "refused") throw new ToolError("not that one");
      if (params.path === "bug") throw new TypeError("undefined is not a function");
      if (params.path === "huge") return textOutput("x\n".repeat(100_000), { lines: 100_000 });
      if (params.path === "wait") {
        await new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(new Error("stopped"))),
        );
      }
      return textOutput("looked");
    },
  }),
]);

function call(args: Record<string, unknown>, more: Partial<ToolCallBlock> = {}): ToolCallBlock {
  return { type: "toolCall", id: "c1", name: "look", arguments: args, ...more };
}

async function run(block: ToolCallBlock, signal = new AbortController().signal) {
  const { result, fingerprint: _, ...rest } = await table.run(block, { signal, update: () => {} });
  const [first] = result.content;
  return { text: first?.type === "text" ? first.text : "", isError: result.isError, ...rest };
}

test("tells the model of a tool in plain JSON Schema, the same every time", () => {
  expect(table.specs()).toEqual([
    {
      name: "look",
      description: "Looks.",
      parameters: {
        type: "object",
        properties: { path: { type: "string" }, limit: { type: "integer", minimum: 1 } },
        required: ["path"],
        additionalProperties: false,
      },
    },
  ]);
  expect(table.specs()).toBe(table.specs());
});

test("runs a call and ties the result to it", async () => {
  const { result } = await table.run(call({ path: "a" }), {
    signal: new AbortController().signal,
    update: () => {},
  });
  expect(result).toMatchObject({ role: "toolResult", toolCallId: "c1", toolName: "look" });
  expect(result.content).toEqual([{ type: "text", text: "looked" }]);
});

test("null for an optional parameter means absent", async () => {
  expect(await run(call({ path: "a", limit: null }))).toEqual({ text: "looked", isError: false });
  expect(seen.at(-1)).toEqual({ path: "a" });
});

test("wrong arguments name the parameter and what it wants; nothing runs", async () => {
  const before = seen.length;
  const wrong = await run(call({ path: 3, limit: 0, extra: true }));
  expect(wrong.isError).toBe(true);
  expect(wrong.text).toContain("- path: ");
  expect(wrong.text).toContain("- limit: ");
  expect(wrong.text).toContain("- extra: ");
  expect(seen.length).toBe(before);
});

test("a call that was cut off is never executed", async () => {
  const before = seen.length;
  const cut = await run(call({}, { malformed: '{"path": "a' }));
  expect(cut).toEqual({ text: expect.stringContaining("Send the call again"), isError: true });
  expect(seen.length).toBe(before);
});

test("an unknown tool is answered with the known ones", async () => {
  const unknown = await run(call({}, { name: "lok" }));
  expect(unknown).toEqual({
    text: 'There is no tool "lok". Did you mean "look"? The tools are: look.',
    isError: true,
  });
});

test("a tool's own refusal is for the model, a bug is reported as one", async () => {
  expect(await run(call({ path: "refused" }))).toEqual({ text: "not that one", isError: true });
  const bug = await run(call({ path: "bug" }));
  expect(bug).toMatchObject({ isError: true, bug: expect.any(TypeError) });
  expect(bug.text).toContain("undefined is not a function");
});

test("output is bounded here, for every tool", async () => {
  const huge = await run(call({ path: "huge" }));
  expect(huge.text.length).toBeLessThan(50_000);
  expect(huge.text).toContain("left out");
  expect(huge.details).toEqual({ lines: 100_000 });
});

test("an abort ends the call with a result", async () => {
  const abort = new AbortController();
  const running = run(call({ path: "wait" }), abort.signal);
  abort.abort();
  expect(await running).toEqual({ text: "The call was aborted.", isError: true });
});
