import { expect, test } from "bun:test";
import { userText } from "@tau/ai/message";
import { callDemoModel } from "../demo-model.ts";
import { converse, requestOf, scripted } from "../test/converse.ts";

test.each([
  ["explain src/x.ts", "src/x.ts"],
  ["what does src/x.ts do?", "src/x.ts"],
  ["Could you summarise the file @docs/a.md please?", "docs/a.md"],
  ['explain "my file.txt"', "my file.txt"],
  ["explain Makefile", "Makefile"],
  ["tell me about `lib/a.py`", "lib/a.py"],
  ["README.md", "README.md"],
  ["explain src", "src"],
  ["what is in package.json", "package.json"],
])("%p reads %p", async (text, path) => {
  const { calls } = await converse(text, scripted({ text: "no", isError: true }));
  expect(calls.map((call) => [call.name, call.arguments])).toEqual([
    ["read", { path: `${path}:1-3000` }],
  ]);
});

test("an attached file is the one that is meant", async () => {
  const message = userText('<file path="a b.ts">\nx </file> y\n</file>', 0);
  message.content.push({ type: "text", text: "explain this" });
  const reply = await callDemoModel(requestOf([message])).result();
  expect(reply.content).toMatchObject([
    { type: "toolCall", name: "read", arguments: { path: "a b.ts:1-3000" } },
  ]);
});

const SOURCE = `// Adds numbers, because
// somebody has to.

import { x } from "./x.ts";
import fs from "node:fs";

export function add(a: number, b: number): number {
  const inner = a;
  return inner + b;
}

export const LIMIT = 3;
`;

const ANSWER = `**src/add.ts** · TypeScript · 12 lines

Adds numbers, because somebody has to.

Imports \`./x.ts\`, \`node:fs\`.

| Line | Definition                                          |
| ---: | --------------------------------------------------- |
|    7 | \`export function add(a: number, b: number): number\` |
|   12 | \`export const LIMIT = 3;\`                           |

This is an outline made by fixed rules; I do not understand the file.`;

test("the outline of a file", async () => {
  expect((await converse("explain src/add.ts", scripted(SOURCE))).answer).toBe(ANSWER);
});

test("a header line and line numbers in the result change nothing", async () => {
  const lines = SOURCE.trimEnd()
    .split("\n")
    .map((line, at) => `${at + 1}:${line}`);
  const decorated = ["¶ src/add.ts#abcd", ...lines].join("\n");
  expect((await converse("explain src/add.ts", scripted(decorated))).answer).toBe(ANSWER);
});

test("a file that was cut is said to be", async () => {
  const { answer } = await converse(
    "explain a.ts",
    scripted("const a = 1;\n[more lines follow; go on with offset 2]"),
  );
  expect(answer).toContain("the first 1 line");
});

test("plain text shows how it begins", async () => {
  const { answer } = await converse("explain notes.txt", scripted("dear diary\n"));
  expect(answer).toContain("It begins:\n\n```text\ndear diary\n```");
});

test("an empty file", async () => {
  const { answer } = await converse("explain notes.txt", scripted("(the file is empty)"));
  expect(answer).toStartWith("**notes.txt** · text · 0 lines");
});

test("a folder is listed", async () => {
  const { answer } = await converse("explain packages/ai", scripted("package.json\nsrc/"));
  expect(answer).toBe(
    "**packages/ai** · 1 folder · 1 file\n\n- `package.json`\n- `src/`\n\nNext, try `explain packages/ai/package.json`.",
  );
});

test("a file that cannot be read is one clear answer", async () => {
  const { answer } = await converse(
    "explain no.ts",
    scripted({ text: "no.ts does not exist.", isError: true }),
  );
  expect(answer.replaceAll("\n", " ")).toBe(
    "I could not read `no.ts`: no.ts does not exist. Try `look around` to see what is here, or `find no.ts`.",
  );
});
