import { expect, test } from "bun:test";
import { parseSource } from "./parse-source.ts";
import type { StructuralQuery } from "./structural-pattern.ts";
import { searchSource } from "./structural-search.ts";

async function search(language: string, text: string, query: StructuralQuery | string) {
  const source = await parseSource(text, language);
  if (!source.ok) throw new Error(source.failure.message);
  return searchSource(source.value, typeof query === "string" ? { pattern: query } : query);
}

async function captured(language: string, text: string, query: StructuralQuery | string) {
  const found = await search(language, text, query);
  if (!found.ok) throw new Error(found.failure.message);
  return found.value.matches.map(({ captures }) =>
    Object.fromEntries(Object.entries(captures).map(([name, { text: code }]) => [name, code])),
  );
}

test.each([
  ["python", "print($A)", "print(1)\nx = print(2)\n", [{ A: "1" }, { A: "2" }]],
  [
    "python",
    "def $F($$$A):\n    $$$B",
    "def f(a, b):\n    x = 1\n",
    [{ F: "f", A: "a, b", B: "x = 1" }],
  ],
  ["typescript", "$F($A)?.b", "a(1)?.b", [{ F: "a", A: "1" }]],
  ["typescript", "get $N() { $$$ }", "class A { get x() { return 1 } }", [{ N: "x" }]],
  ["typescript", "$A === $A", "a === a; a === b", [{ A: "a" }]],
  ["typescript", "f($_, $_)", "f(1, 2); f(1)", [{}]],
  ["typescript", "f($$$)", "f(); f(1, 2)", [{}, {}]],
  ["typescript", "f($$$A)", "f()", [{}]],
  ["tsx", "<$T>$$$C</$T>", "const a = <b>x<i/></b>", [{ T: "b", C: "x<i/>" }]],
  ["css", "color: $V", "a { color: red; }", [{ V: "red" }]],
  ["css", ".a { $$$B }", ".a { b: c; }", [{ B: "b: c;" }]],
  ["html", "<b>$$$A</b>", "<p><b>x</b></p>", [{ A: "x" }]],
  ["bash", "echo $A", "f() { echo hi; }", [{ A: "hi" }]],
  ["c", "foo($A)", "int main() { foo(1); x = foo(2); }", [{ A: "1" }, { A: "2" }]],
  [
    "c",
    "int $F($$$A) { $$$B }",
    "int main(int a) { foo(1); }",
    [{ F: "main", A: "int a", B: "foo(1);" }],
  ],
  ["c", "struct $S { $$$ };", "struct a { int x; };", [{ S: "a" }]],
  ["cpp", "std::vector<$T> $V;", "int f() { std::vector<int> v; }", [{ T: "int", V: "v" }]],
  ["csharp", "Foo($A);", "class A { void F() { Foo(1); } }", [{ A: "1" }]],
  [
    "csharp",
    "public void $M($$$P) { $$$B }",
    "class A { public void F() { G(); } }",
    [{ M: "F", B: "G();" }],
  ],
  ["dart", "var $A = $B;", "void main() { var a = 1; }", [{ A: "a", B: "1" }]],
  ["elixir", "IO.puts($A)", "def f do\n IO.puts(1)\nend", [{ A: "1" }]],
  ["go", "fmt.Println($A)", "package a\nfunc f() { fmt.Println(1) }", [{ A: "1" }]],
  ["go", "if err != nil { $$$ }", "package a\nfunc f() { if err != nil { return } }", [{}]],
  [
    "go",
    "func $F($$$) error { $$$B }",
    "package a\nfunc f(x int) error { return nil }",
    [{ F: "f", B: "return nil" }],
  ],
  ["haskell", "f $A", "g = f 1", [{ A: "1" }]],
  [
    "java",
    "public void $M($$$P) { $$$ }",
    "class A { public void f(int a) { g(); } }",
    [{ M: "f", P: "int a" }],
  ],
  ["json", "[$$$A]", '{"a": [1, 2]}', [{ A: "1, 2" }]],
  ["kotlin", "val $A = $B", "fun f() { val a = 1 }", [{ A: "a", B: "1" }]],
  ["lua", "local $A = $B", "local a = 1", [{ A: "a", B: "1" }]],
  ["markdown", "# $T", "# abc\n", [{ T: "abc" }]],
  ["php", "$X->foo($A)", "<?php $a->foo(1);", [{ X: "$a", A: "1" }]],
  [
    "php",
    "function $F($$$A) { $$$B }",
    "<?php function f($a) { return 1; }",
    [{ F: "f", A: "$a", B: "return 1;" }],
  ],
  ["ruby", "puts $A", "def f\n puts 1\nend", [{ A: "1" }]],
  ["rust", "$A.unwrap()", "fn f() { a.unwrap(); }", [{ A: "a" }]],
  ["rust", "pub fn $F(&self) { $$$ }", "impl A { pub fn f(&self) { x } }", [{ F: "f" }]],
  [
    "scala",
    "def $F($$$A) = $B",
    "object A { def f(a: Int) = 1 }",
    [{ F: "f", A: "a: Int", B: "1" }],
  ],
  ["sql", "SELECT $A FROM $B", "SELECT a FROM b;", [{ A: "a", B: "b" }]],
  [
    "swift",
    "func $F($$$A) { $$$B }",
    "func f(a: Int) { g(1) }",
    [{ F: "f", A: "a: Int", B: "g(1)" }],
  ],
  ["yaml", "name: $V", "name: x\nb: c\n", [{ V: "x" }]],
] as const)("%s: %s", async (language, pattern, text, want) => {
  expect(await captured(language, text, pattern)).toEqual(
    want as unknown as Record<string, string>[],
  );
});

test("places are lines and UTF-16 columns from 1, whatever stands before", async () => {
  const before = "const a = '日本語😀';\r\n  b('😀'); ";
  const text = `${before}foo(1,\n 2)`;
  const found = await search("typescript", text, "foo($$$A)");
  if (!found.ok) throw new Error(found.failure.message);
  expect(found.value.matches).toEqual([
    {
      kind: "call_expression",
      start: { line: 2, column: 12 },
      end: { line: 3, column: 4 },
      text: "foo(1,\n 2)",
      captures: {
        A: { start: { line: 2, column: 16 }, end: { line: 3, column: 3 }, text: "1,\n 2" },
      },
    },
  ]);
  expect(text.split("\n")[1]!.slice(11, 14)).toBe("foo");
});

test("a rule says what a pattern cannot", async () => {
  const text = "class A { m() { foo(1) } }\nfoo(2);\n";
  const rule = { pattern: "foo($A)", inside: { kind: "class_body", stopBy: "end" } };
  expect(await captured("typescript", text, { rule })).toEqual([{ A: "1" }]);
  const constrained = { rule: { pattern: "foo($A)" }, constraints: { A: { regex: "^2$" } } };
  expect(await captured("typescript", text, constrained)).toEqual([{ A: "2" }]);
});

test("a selector picks the node out of its surroundings", async () => {
  const query = { pattern: "({ $K: $V })", selector: "pair" };
  expect(await captured("typescript", "x = { a: 1 }", query)).toEqual([{ K: "a", V: "1" }]);
});

test.each([
  ["nothing", "javascript", { pattern: "  " }, "bad_pattern", "empty"],
  ["unclosed code", "javascript", { pattern: "foo($A" }, "bad_pattern", "selector"],
  ["two nodes", "javascript", { pattern: "a(); b()" }, "bad_pattern", "more than one node"],
  [
    "a kind that is none",
    "javascript",
    { pattern: "a", selector: "klingon" },
    "bad_pattern",
    "klingon",
  ],
  [
    "a rule with a kind that is none",
    "python",
    { rule: { kind: "klingon" } },
    "bad_rule",
    "klingon",
  ],
  ["a rule that is none", "python", { rule: {} }, "bad_rule", "Correct it"],
  ["too much", "python", { pattern: "(".repeat(20_000) }, "bad_pattern", "longer"],
  [
    "too much of a rule",
    "python",
    { rule: { regex: "a".repeat(20_000) } },
    "bad_pattern",
    "longer",
  ],
] as const)("%s is refused with a way out", async (_, language, query, code, hint) => {
  const found = await search(language, "foo(1)", query as StructuralQuery);
  expect(found).toMatchObject({ ok: false, failure: { code } });
  if (!found.ok) expect(found.failure.message).toContain(hint);
});

test("matches are bounded, and a flaw in the text is told beside them", async () => {
  const source = await parseSource("f(1);\n".repeat(20), "javascript");
  if (!source.ok) throw new Error(source.failure.message);
  const found = await searchSource(source.value, { pattern: "f($A)" }, 7);
  expect(found).toMatchObject({ ok: true, value: { truncated: true } });
  if (found.ok) expect(found.value.matches).toHaveLength(7);
  const flawed = await search("javascript", "f(1);\nlet = = 2;\n", "f($A)");
  expect(flawed).toMatchObject({
    ok: true,
    value: { flaw: { line: 2 }, matches: [{ text: "f(1)" }] },
  });
});
