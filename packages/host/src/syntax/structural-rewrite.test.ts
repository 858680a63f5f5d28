import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseSource } from "./parse-source.ts";
import { applyEdits, rewriteSource, type RewriteOperation } from "./structural-rewrite.ts";

async function rewrite(language: string, text: string, ...operations: RewriteOperation[]) {
  const source = await parseSource(text, language);
  if (!source.ok) throw new Error(source.failure.message);
  return rewriteSource(source.value, operations);
}

async function after(language: string, text: string, pat: string, out: string): Promise<string> {
  const done = await rewrite(language, text, { pat, out });
  if (!done.ok) throw new Error(done.failure.message);
  expect(done.value.problems).toEqual([]);
  return done.value.after;
}

test.each([
  ["a capture", "typescript", "foo(1, 2)", "foo($A, $B)", "bar($B, $A)", "bar(2, 1)"],
  [
    "a list with its separators",
    "typescript",
    "foo(1,2 , /* c */ 3)",
    "foo($$$A)",
    "bar($$$A)",
    "bar(1,2 , /* c */ 3)",
  ],
  ["an empty list before more", "typescript", "foo()", "foo($$$A)", "bar($$$A, x)", "bar(x)"],
  ["an empty list after more", "typescript", "foo()", "foo($$$A)", "bar(x, $$$A)", "bar(x)"],
  ["a name used twice", "python", "f(a)", "f($A)", "g($A, $A)", "g(a, a)"],
  [
    "what only looks like a name",
    "typescript",
    "f(a)",
    "f($A)",
    "$('#x')(`${y}`, $A)",
    "$('#x')(`${y}`, a)",
  ],
  ["a variable of the shell", "bash", "echo hi", "echo $A", 'echo "$HOME" $A', 'echo "$HOME" hi'],
  [
    "removing a statement takes its line",
    "typescript",
    "a();\n  log(1);\nb();\n",
    "log($A);",
    "",
    "a();\nb();\n",
  ],
  ["removing within a line", "typescript", "a(); log(1); b();", "log($A);", "", "a();  b();"],
  [
    "Windows lines",
    "typescript",
    "a();\r\nif (x) {\r\n  y();\r\n}\r\n",
    "if ($C) { $$$B }",
    "while ($C) {\n  $$$B\n}",
    "a();\r\nwhile (x) {\r\n  y();\r\n}\r\n",
  ],
  [
    "the last of Windows lines",
    "typescript",
    "a();\r\nfoo(1);",
    "foo($A);",
    "b();\nc();",
    "a();\r\nb();\r\nc();",
  ],
  ["a byte order mark", "typescript", "\ufefffoo(1)", "foo($A)", "bar($A)", "\ufeffbar(1)"],
  [
    "CJK and emoji before",
    "typescript",
    "const 名 = '😀'; foo('😀😀'); // 漢",
    "foo($A)",
    "bar($A)",
    "const 名 = '😀'; bar('😀😀'); // 漢",
  ],
  [
    "go",
    "go",
    "package a\nfunc f() { foo(1) }",
    "foo($A)",
    "bar($A)",
    "package a\nfunc f() { bar(1) }",
  ],
  ["rust", "rust", "fn f() { a.unwrap(); }", "$A.unwrap()", "$A?", "fn f() { a?; }"],
] as const)("%s", async (_, language, text, pat, out, want) => {
  expect(await after(language, text, pat, out)).toBe(want);
});

test("captured lines move with their new place, strings stay as they are", async () => {
  const text = [
    "function f() {",
    "  run(() => {",
    "    one();",
    "    two(`a",
    "  b`);",
    "  });",
    "}",
    "",
  ].join("\n");
  const out = "try {\n  $$$B\n} finally {\n  end();\n}";
  expect(await after("typescript", text, "run(() => { $$$B });", out)).toBe(
    [
      "function f() {",
      "  try {",
      "    one();",
      "    two(`a",
      "  b`);",
      "  } finally {",
      "    end();",
      "  }",
      "}",
      "",
    ].join("\n"),
  );
});

test("deeper code is pulled out to the indentation of its match", async () => {
  const text = "def f():\n    if ready:\n        a()\n        if b:\n            c()\n";
  const done = await after("python", text, "if ready:\n    $$$B", "with lock:\n    $$$B");
  expect(done).toBe("def f():\n    with lock:\n        a()\n        if b:\n            c()\n");
  const flat = await after("python", text, "if ready:\n    $$$B", "$$$B");
  expect(flat).toBe("def f():\n    a()\n    if b:\n        c()\n");
});

test("the same again is no replacement", async () => {
  const done = await rewrite("typescript", "foo(1);\nfoo( 2 );\n", {
    pat: "foo($A)",
    out: "foo($A)",
  });
  expect(done).toMatchObject({ ok: true, value: { edits: [{ before: "foo( 2 )" }] } });
  const none = await rewrite("typescript", "foo(1);\n", { pat: "foo($A)", out: "foo($A)" });
  expect(none).toMatchObject({ ok: true, value: { edits: [], after: "foo(1);\n" } });
});

test("edits say what became what, where, and by which operation", async () => {
  const done = await rewrite(
    "typescript",
    "b(1);\n  a(2);\n",
    { pat: "a($A)", out: "x($A)" },
    { pat: "b($A)", out: "y($A)" },
  );
  expect(done).toEqual({
    ok: true,
    value: {
      after: "y(1);\n  x(2);\n",
      edits: [
        { from: 0, to: 4, line: 1, column: 1, before: "b(1)", after: "y(1)", operation: 1 },
        { from: 8, to: 12, line: 2, column: 3, before: "a(2)", after: "x(2)", operation: 0 },
      ],
      problems: [],
    },
  });
});

test("matches inside each other, or of two operations, are refused", async () => {
  const nested = await rewrite("typescript", "foo(foo(1))", { pat: "foo($A)", out: "bar($A)" });
  expect(nested).toMatchObject({ ok: false, failure: { code: "overlapping_edits", line: 1 } });
  const both = await rewrite(
    "typescript",
    "foo(1)",
    { pat: "foo($A)", out: "bar($A)" },
    { pat: "foo(1)", out: "baz()" },
  );
  expect(both).toMatchObject({ ok: false, failure: { code: "overlapping_edits" } });
});

test("a text that is not well formed is left alone", async () => {
  const done = await rewrite("typescript", "foo(1);\nlet = = 2;\n", { pat: "foo($A)", out: "b()" });
  expect(done).toMatchObject({ ok: false, failure: { code: "syntax_error", line: 2 } });
});

test("an operation that makes no sense is told, the others are done", async () => {
  const done = await rewrite(
    "typescript",
    "foo(1);\n",
    { pat: "foo($A", out: "x" },
    { pat: "foo($A)", out: "bar($B)" },
    { pat: "foo($A)", out: "bar($A)" },
  );
  expect(done).toMatchObject({
    ok: true,
    value: {
      after: "bar(1);\n",
      problems: [
        { operation: 0, failure: { code: "bad_pattern" } },
        { operation: 1, failure: { code: "bad_template" } },
      ],
    },
  });
});

const piece = fc.constantFrom(
  "foo(1);",
  "foo('😀', 漢);",
  "bar(/* ü */ 2);",
  "// foo(3)",
  "const s = `foo(4)`;",
  "if (x) {\n  foo(5);\n}",
  "let 日本 = '𝒳';",
  "",
);

test("only matches change, and the edits are the difference", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 12 }),
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      async (pieces, newline, mark) => {
        const text = (mark ? "\ufeff" : "") + pieces.join("\n").replaceAll("\n", newline);
        const done = await rewrite("typescript", text, { pat: "foo($$$A)", out: "changed($$$A)" });
        if (!done.ok) throw new Error(done.failure.message);
        const { edits, after: result } = done.value;
        expect(edits).toHaveLength(
          pieces.filter((line) => /(?:^|\{\n {2})foo\(/.test(line)).length,
        );
        expect(applyEdits(text, edits)).toBe(result);
        for (const { from, to, before } of edits) expect(text.slice(from, to)).toBe(before);
        // Undone, it is what it was, byte for byte.
        expect(result.replaceAll("changed(", "foo(")).toBe(text);
        const again = await rewrite("typescript", result, {
          pat: "foo($$$A)",
          out: "changed($$$A)",
        });
        expect(again).toMatchObject({ ok: true, value: { edits: [], after: result } });
        const same = await rewrite("typescript", text, { pat: "foo($$$A)", out: "foo($$$A)" });
        expect(same).toMatchObject({ ok: true, value: { edits: [], after: text } });
      },
    ),
    { numRuns: 150 },
  );
});
