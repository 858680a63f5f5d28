import { expect, test } from "bun:test";
import { createScratchDirectory, createScratchRepository } from "@tau/testkit/scratch";
import { converse, realTools, scripted } from "../test/converse.ts";

test("a tracked file: reads, edits, shows the difference", async () => {
  await using scratch = await createScratchRepository({ files: { "a.txt": "one\ntwo\nthree\n" } });
  const { answer, calls } = await converse("replace two with 2 in a.txt", realTools(scratch.root));
  expect(calls.map((call) => call.name)).toEqual(["read", "bash", "bash"]);
  expect(await scratch.read("a.txt")).toBe("one\n2\nthree\n");
  expect(answer).toBe(
    "Changed `a.txt`: 1 replacement.\n\n`git diff` now shows:\n\n```diff\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n```",
  );
});

test("an untracked file shows the two texts", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("a.txt", "red, green");
  const { answer } = await converse('change "red" to "blue" in a.txt', realTools(scratch.root));
  expect(await scratch.read("a.txt")).toBe("blue, green");
  expect(answer).toBe("Changed `a.txt`: 1 replacement.\n\n```diff\n- red\n+ blue\n```");
});

test.each([
  ["no final newline", "end", 'replace "end" with "END" in f', "END"],
  ["CRLF", "a\r\nb\r\n", 'replace "b" with "c" in f', "a\r\nc\r\n"],
  ["unicode", "naïve 日本 🙂\n", 'replace "日本" with "🙃é" in f', "naïve 🙃é 🙂\n"],
  [
    "shell characters",
    "x=$(y) `z` \\ ' \"\n",
    'replace "$(y) `z`" with "${HOME} `id` !! \\n \'" in f',
    "x=${HOME} `id` !! \\n ' \\ ' \"\n",
  ],
  ["newlines", "a\nb\nc", 'replace "b\nc" with "\n\nx\n" in f', "a\n\n\nx\n"],
  ["everywhere", "a.a.a", 'replace "a" with "aa" everywhere in f', "aa.aa.aa"],
  ["deletion", "keep drop keep", 'replace " drop" with "" in f', "keep keep"],
  ["patterns are text", "a*b?[c]", 'replace "*b?[" with "&" in f', "a&c]"],
  ["append", "a\nb", 'add "c" to f', "a\nb\nc"],
])("on disk, to the byte: %s", async (_, before, request, after) => {
  await using scratch = await createScratchDirectory();
  await scratch.write("f", before);
  const { answer } = await converse(request, realTools(scratch.root));
  expect(await scratch.read("f")).toBe(after);
  expect(answer).not.toContain("left everything");
});

test.each([
  ["absent", "abc", 'replace "x" with "y" in f', "`x` does not occur in `f`."],
  [
    "more than once",
    "x\nx\n",
    'replace "x" with "y" in f',
    "`x` occurs more than once in `f` (lines 1, 2).",
  ],
  ["twice on a line", "x x\n", 'replace "x" with "y" in f', "`x` occurs more than once in `f`."],
  ["the same", "x", 'replace "x" with "x" in f', "the old and the new text are the same."],
  ["there already", "x", 'create f with "y"', "`f` exists already."],
  ["leaving", "x", 'replace "x" with "y" in ../f', "below the working directory"],
  ["leaving on the way", "x", 'replace "x" with "y" in a/../../f', "below the working directory"],
  ["absolute", "x", 'create /tmp/tau-demo-x with "y"', "below the working directory"],
  ["home", "x", 'create ~/tau-demo-x with "y"', "below the working directory"],
  ["missing", "x", 'replace "x" with "y" in g', "I could not read `g`"],
  ["no folder", "x", 'create a/b with "y"', "the folder of `a/b` does not exist."],
])("refused, bytes untouched: %s", async (_, before, request, why) => {
  await using scratch = await createScratchDirectory();
  await scratch.write("f", before);
  const { answer } = await converse(request, realTools(scratch.root));
  expect(answer.replaceAll("\n", " ")).toContain(why);
  expect(await scratch.read("f")).toBe(before);
});

test("what reading rules out needs no command", async () => {
  const absent = await converse('replace "x" with "y" in f', scripted("¶ f\n1:abc\n2:def"));
  expect(absent.calls.map((call) => call.name)).toEqual(["read"]);
  const many = await converse('replace "b" with "y" in f', scripted("¶ f\n1:abc\n2:bcd"));
  expect(many.calls.map((call) => call.name)).toEqual(["read"]);
});

test("a read that was cut rules nothing out: the script decides", async () => {
  const cut = "abc\n[more lines follow; go on with offset 2]";
  const { answer, calls } = await converse(
    'replace "x" with "y" in f',
    scripted(cut, "tau-edit: refused absent"),
  );
  expect(calls.map((call) => call.name)).toEqual(["read", "bash"]);
  expect(answer).toContain("`x` does not occur");
});

test("a refused command is one sentence, and nothing follows", async () => {
  const tools = scripted("x", { text: "The user denied this call.", isError: true });
  const { answer, calls } = await converse('replace "x" with "y" in f', tools);
  expect(calls).toHaveLength(2);
  expect(answer).toStartWith("I could not change `f`: The user denied this call.");
});

test("a command that does not report leaves no claim", async () => {
  const { answer } = await converse('replace "x" with "y" in f', scripted("x", ""));
  expect(answer).toContain("did not report how it ended");
});

test("a new file is created and shown", async () => {
  await using scratch = await createScratchRepository({ files: { a: "a\n" } });
  const { answer } = await converse('create notes.txt with "hello"', realTools(scratch.root));
  expect(await scratch.read("notes.txt")).toBe("hello\n");
  expect(answer).toBe("Created `notes.txt`.\n\n```diff\n+ hello\n```");
});
