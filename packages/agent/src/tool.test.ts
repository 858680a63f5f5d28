import { expect, test } from "bun:test";
import { strictObject, string } from "valibot";
import { defineJsonTool, defineTool, textOutput, ToolError } from "./tool.ts";

test("a refusal shows its message, or what the tool had to show", () => {
  const plain = new ToolError("no");
  expect(plain).toBeInstanceOf(Error);
  expect([plain.name, plain.message, plain.artifactId]).toEqual(["ToolError", "no", undefined]);
  expect(plain.content).toEqual([{ type: "text", text: "no" }]);
  const content = [{ type: "text" as const, text: "half" }];
  const shown = new ToolError("no", content, "7", { lines: 1 });
  expect([shown.content, shown.artifactId, shown.details]).toEqual([content, "7", { lines: 1 }]);
});

test("an output has details where there are any", () => {
  expect(textOutput("a")).toEqual({ content: [{ type: "text", text: "a" }] });
  expect("details" in textOutput("a")).toBe(false);
  expect(textOutput("a", { n: 1 })).toEqual({
    content: [{ type: "text", text: "a" }],
    details: { n: 1 },
  });
  expect(textOutput("a", null).details).toBeNull();
});

test("a tool is what it was defined as, with its parameters made checkable", () => {
  const traits = {
    name: "t",
    description: "d",
    tier: "exec",
    concurrency: "exclusive",
    timeoutMs: 5,
    polls: true,
  } as const;
  const execute = async () => textOutput("x");
  const own = defineTool({ ...traits, parameters: strictObject({ a: string() }), execute });
  const foreign = defineJsonTool({ ...traits, parameters: { required: ["a"] }, execute });
  for (const tool of [own, foreign]) {
    expect(tool).toMatchObject({ ...traits, execute });
    expect(tool.parameters.validate({}).ok).toBe(false);
    expect(tool.parameters.validate({ a: "x" }).ok).toBe(true);
  }
});
