import { expect, test } from "bun:test";
import { createScratchDirectory, createScratchRepository } from "@tau/testkit/scratch";
import { converse, realTools, scripted } from "../test/converse.ts";
import { symbolIn } from "./symbol-question.ts";

test.each([
  ["find foo", "foo", ""],
  ["Where is foo defined?", "foo", ""],
  ["who uses foo", "foo", ""],
  ["who calls `foo`?", "foo", ""],
  ["find the function foo()", "foo", ""],
  ["find all uses of foo", "foo", ""],
  ["search for 'two words'", "two words", ""],
  ["find foo in src", "foo", "src"],
  ["find foo in src/a.ts", "foo", "src/a.ts"],
  ["find out where foo is used", "foo", ""],
  ["what does parseArgs do?", "parseArgs", ""],
  ["grep TODO", "TODO", ""],
])("%p asks for %p", (text, name, place) => {
  expect(symbolIn(text.replace(/\?$/, ""))).toEqual({ name, place });
});

test.each(["find bugs", "find the bug in my code please", "where am", "what does it do", "find"])(
  "%p names no symbol",
  (text) => {
    expect(symbolIn(text)).toBeUndefined();
  },
);

const FILES = {
  "src/a.ts": "export function foo() {}\nfoo();\nconst food = 1;\n",
  "src/b.py": "from a import foo\n\ndef bar():\n    return foo\n",
  "node_modules/x/i.js": "foo();\n",
  "dist/o.js": "foo();\n",
};
const FOUND = `\`foo\` is on 4 lines of 2 files.

**Looks like a definition**

\`\`\`text
src/a.ts:1  export function foo() {}
\`\`\`

**Other lines**

\`\`\`text
src/a.ts:2  foo();
src/b.py:1  from a import foo
src/b.py:4  return foo
\`\`\``;

test("in a git repository, new files included", async () => {
  await using scratch = await createScratchRepository({ files: { "README.md": "x\n" } });
  for (const [name, text] of Object.entries(FILES)) await scratch.write(name, text);
  const { answer, calls } = await converse("where is foo defined?", realTools(scratch.root));
  expect(calls).toHaveLength(1);
  expect(answer).toBe(FOUND);
});

test("outside git", async () => {
  await using scratch = await createScratchDirectory();
  for (const [name, text] of Object.entries(FILES)) await scratch.write(name, text);
  const { answer } = await converse("who uses foo", realTools(scratch.root));
  // Without git the order is that of the file system.
  expect(answer.split("\n").toSorted()).toEqual(FOUND.split("\n").toSorted());
});

test("only in the named folder or file", async () => {
  await using scratch = await createScratchRepository({ files: FILES });
  const { answer } = await converse("find foo in src/b.py", realTools(scratch.root));
  expect(answer).toContain("`foo` is on 2 lines of 1 file in `src/b.py`.");
});

test("what is not there", async () => {
  await using scratch = await createScratchRepository({ files: FILES });
  const { answer } = await converse("find nowhere", realTools(scratch.root));
  expect(answer).toStartWith("I did not find `nowhere`.");
});

test.each(["-e", "--help", "$(touch pwned)", "`touch pwned`", "'; touch pwned; '", "*", ".*"])(
  "the name %p is searched for literally",
  async (name) => {
    await using scratch = await createScratchRepository({
      files: { "a.txt": `see ${name} here\nplain\n` },
    });
    const quote = name.includes("'") ? '"' : "'";
    const { answer } = await converse(`find ${quote}${name}${quote}`, realTools(scratch.root));
    expect(answer).toContain("is on 1 line of 1 file.");
    expect(await scratch.status()).toEqual([]);
  },
);

test("a failed search is one sentence", async () => {
  const { answer, calls } = await converse("find foo", scripted({ text: "denied", isError: true }));
  expect(calls).toHaveLength(1);
  expect(answer).toStartWith("I could not search for `foo`: denied.");
});
