import { expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { localSyntax } from "./local-syntax.ts";
import { rewriteFiles, type RewriteFilesOptions } from "./rewrite-files.ts";
import { searchFiles, type SearchFilesOptions } from "./search-files.ts";
import type { RewriteOperation } from "./structural-rewrite.ts";
import type { StructuralQuery } from "./structural-pattern.ts";
import { sourceCommand, SyntaxProcess } from "./syntax-process.ts";

async function drain<T, R>(run: AsyncGenerator<T, R>): Promise<{ found: T[]; end: R }> {
  const found: T[] = [];
  for (;;) {
    const { done, value } = await run.next();
    if (done) return { found, end: value };
    found.push(value);
  }
}

const search = (paths: string[], query: StructuralQuery, options?: SearchFilesOptions) =>
  drain(searchFiles(localSyntax, paths, query, options));
const rewrite = (paths: string[], operations: RewriteOperation[], options?: RewriteFilesOptions) =>
  drain(rewriteFiles(localSyntax, paths, operations, options));

test("searches files of several languages and passes over what is no source", async () => {
  await using scratch = await createScratchDirectory();
  const paths = [
    await scratch.write("a.ts", "foo(1);\n"),
    await scratch.write("b.py", "x = 1\nfoo(2)\n"),
    await scratch.write("c.xyz", "foo(3)"),
    await scratch.write("run", "#!/usr/bin/env node\nfoo(4)\n"),
    await scratch.write("LICENSE", "foo(5)"),
    await scratch.write("empty.js", ""),
  ];
  const { found, end } = await search(paths, { pattern: "foo($A)" });
  expect(found).toMatchObject([
    { path: paths[0], language: "typescript", matches: [{ start: { line: 1, column: 1 } }] },
    { path: paths[1], language: "python", matches: [{ start: { line: 2 } }] },
    { path: paths[3], language: "javascript", matches: [{ captures: { A: { text: "4" } } }] },
  ]);
  expect(end).toEqual({ files: 4, matches: 3, problems: [] });
});

test("what cannot be searched is told by file, what does not fit once by language", async () => {
  await using scratch = await createScratchDirectory();
  const paths = [
    scratch.path("missing.ts"),
    await scratch.write("binary.ts", new Uint8Array([0, 1, 2])),
    await scratch.write("latin.ts", new Uint8Array([0xe4, 0x61])),
    await scratch.write("large.ts", "a".repeat(3 * 1024 * 1024)),
    await scratch.write("flawed.ts", "let = = 1;\n"),
    await scratch.write("a.py", "x\n"),
    await scratch.write("b.py", "x\n"),
  ];
  const { found, end } = await search(paths, { pattern: "const $A = $B;" });
  expect(found).toMatchObject([
    { path: paths[0], failure: { code: "unreadable_file" } },
    { path: paths[1], failure: { code: "not_text" } },
    { path: paths[2], failure: { code: "not_text" } },
    { path: paths[3], failure: { code: "too_large" } },
    { path: paths[4], flaw: { line: 1 }, matches: [] },
  ]);
  expect(end.problems).toMatchObject([{ language: "python", failure: { code: "bad_pattern" } }]);
});

test("stops at its limits and says which", async () => {
  await using scratch = await createScratchDirectory();
  const paths = await Promise.all(
    ["a", "b", "c"].map((name) => scratch.write(`${name}.ts`, "foo(1);\nfoo(2);\n")),
  );
  const query = { pattern: "foo($A)" };
  const files = await search(paths, query, { maxFiles: 2 });
  expect(files.end).toEqual({ files: 2, matches: 4, problems: [], stopped: "files" });
  const matches = await search(paths, query, { maxMatches: 3 });
  expect(matches.end).toMatchObject({ matches: 3, stopped: "matches" });
  const aborted = await search(paths, query, { signal: AbortSignal.abort() });
  expect(aborted).toMatchObject({ found: [], end: { files: 0, stopped: "aborted" } });
});

test("a deadline ends a search that is stuck in one file", async () => {
  await using scratch = await createScratchDirectory();
  const path = await scratch.write("slow.sh", "<<EOF\n".repeat(100_000));
  await using syntax = new SyntaxProcess({ command: sourceCommand(), answerLimitMs: 600_000 });
  const { found, end } = await drain(
    searchFiles(syntax, [path], { pattern: "echo $A" }, { deadlineMs: 1000 }),
  );
  expect(found).toEqual([]);
  expect(end.stopped).toBe("deadline");
});

test("a language that is named goes before what the names of files say", async () => {
  await using scratch = await createScratchDirectory();
  const path = await scratch.write("a.txt", "foo(1)\n");
  const named = await search([path], { pattern: "foo($A)" }, { language: "py" });
  expect(named.found).toMatchObject([{ path, language: "python" }]);
  const unknown = await search([path], { pattern: "a" }, { language: "klingon" });
  expect(unknown.end.problems).toMatchObject([{ failure: { code: "unknown_language" } }]);
});

test("rewrites by language and leaves the files alone", async () => {
  await using scratch = await createScratchDirectory();
  const paths = [
    await scratch.write("a.ts", "\ufefffoo(1);\r\nfoo(2);\r\n"),
    await scratch.write("b.py", "foo(3)\n"),
    await scratch.write("c.py", "nothing()\n"),
    await scratch.write("flawed.ts", "foo(1; let\n"),
    await scratch.write("nested.ts", "foo(foo(1));\n"),
  ];
  const { found, end } = await rewrite(paths, [{ pat: "foo($A)", out: "bar($A)" }]);
  expect(found).toMatchObject([
    {
      path: paths[0],
      before: "\ufefffoo(1);\r\nfoo(2);\r\n",
      after: "\ufeffbar(1);\r\nbar(2);\r\n",
    },
    { path: paths[1], language: "python", after: "bar(3)\n", edits: [{ line: 1 }] },
    { path: paths[3], failure: { code: "syntax_error" } },
    { path: paths[4], failure: { code: "overlapping_edits" } },
  ]);
  expect(end).toEqual({ files: 5, replacements: 3, problems: [], fitsNowhere: [] });
  expect(await scratch.read("b.py")).toBe("foo(3)\n");
});

test("an operation may fit one language and not the other, but it must fit one", async () => {
  await using scratch = await createScratchDirectory();
  const paths = [
    await scratch.write("a.ts", "const x = 1;\n"),
    await scratch.write("b.py", "x = 1\n"),
  ];
  const { found, end } = await rewrite(paths, [
    { pat: "const $A = $B;", out: "let $A = $B;" },
    { pat: "((((", out: "" },
  ]);
  expect(found).toMatchObject([{ path: paths[0], after: "let x = 1;\n" }]);
  expect(end.fitsNowhere).toEqual([1]);
  expect(end.problems.map(({ language, operation }) => [language, operation])).toEqual([
    ["typescript", 1],
    ["python", 0],
    ["python", 1],
  ]);
});

test("a limit on replacements never cuts a file in two", async () => {
  await using scratch = await createScratchDirectory();
  const paths = [
    await scratch.write("a.ts", "f(1);f(2);"),
    await scratch.write("b.ts", "f(1);f(2);"),
  ];
  const { found, end } = await rewrite(paths, [{ pat: "f($A)", out: "g($A)" }], {
    maxReplacements: 3,
  });
  expect(found).toHaveLength(1);
  expect(end).toMatchObject({ replacements: 2, stopped: "matches" });
});
