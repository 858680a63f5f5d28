import { expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { converse, realTools, scripted } from "../test/converse.ts";

test.each([
  ["run npm test", "npm test"],
  ["Please run `ls -la`", "ls -la"],
  ["run `ls -la` and tell me what you see", "ls -la"],
  ["execute git status", "git status"],
  ["$ echo hi", "echo hi"],
  ["can you run git log -1?", "git log -1"],
  ["run ls foo?", "ls foo?"],
  ["run the command `make`", "make"],
  ['run "npm test"', "npm test"],
  ['run echo "a" "b"', 'echo "a" "b"'],
  ["run echo `date`", "echo `date`"],
  ["run npm test, please", "npm test"],
  ["run ls .", "ls ."],
  ["run\n```sh\necho a\necho b\n```", "echo a\necho b"],
])("%p runs exactly %p", async (text, command) => {
  const { calls } = await converse(text, scripted("out"));
  expect(calls.map((call) => [call.name, call.arguments])).toEqual([["bash", { command }]]);
});

test.each(["run the tests", "run", "run tests", "execute"])("%p is no command", async (text) => {
  const { answer } = await converse(text);
  expect(answer).toContain("The nearest thing I can do is to run a command");
});

test("the end of a long output, and exit code 0", async () => {
  const { answer } = await converse("run seq 40", realTools("/"));
  expect(answer).toBe(
    `\`seq 40\` finished with exit code 0. The last 12 of 40 lines:\n\n\`\`\`text\n${Array.from({ length: 12 }, (_, at) => at + 29).join("\n")}\n\`\`\``,
  );
});

test("a failing command is reported with its code and output", async () => {
  const { answer, calls } = await converse("run echo oops; exit 7", realTools("/"));
  expect(calls).toHaveLength(1);
  expect(answer).toStartWith("`echo oops; exit 7` failed with exit code 7.");
  expect(answer).toContain("oops");
});

test("a silent command", async () => {
  const { answer } = await converse("run true", scripted("(no output)"));
  expect(answer).toBe("`true` finished with exit code 0. It printed nothing.");
});

test("a call that was refused or stopped is one sentence", async () => {
  const denied = await converse(
    "run ls",
    scripted({ text: "The user denied this call.", isError: true }),
  );
  expect(denied.answer).toBe(
    "I could not run `ls`: The user denied this call. Check the command and ask\nagain.",
  );
  const late = await converse(
    "run ls",
    scripted({ text: "a\n[timed out after 120 s]", isError: true }),
  );
  expect(late.answer).toStartWith("I could not run `ls`: timed out after 120 s.");
});

test("colours, cursor movement and fences in the output cannot break the answer", async () => {
  const output = "\x1b[31mred\x1b[0m \x1b]0;title\x07x\n10%\r99%\n```\n";
  const { answer } = await converse("run x", scripted(output));
  expect(answer).toEndWith("````text\nred x\n99%\n```\n````");
});

test("it really runs in the working directory", async () => {
  await using scratch = await createScratchDirectory();
  await converse('run printf "%s" "$PWD" > where.txt', realTools(scratch.root));
  expect(await scratch.read("where.txt")).toBe(scratch.root);
});
