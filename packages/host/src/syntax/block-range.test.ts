import { expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { blockAt } from "./block-range.ts";
import { detectLanguage } from "./detect-language.ts";
import { parseSource, type Source } from "./parse-source.ts";
import { findFlaw } from "./syntax-flaw.ts";

async function parsed(text: string, language: string): Promise<Source> {
  const source = await parseSource(text, language);
  if (!source.ok) throw new Error(source.failure.message);
  return source.value;
}

async function codeAt(text: string, language: string, line: number): Promise<string> {
  const block = blockAt(await parsed(text, language), line);
  return block.ok ? `${block.value.start}-${block.value.end}` : block.failure.code;
}

// Each line of a sample says what is to be found there: the last line of the block that
// begins on it, "close" for one that closes a block, "none" where none begins, "." if blank.
const samples = (await Bun.file(join(import.meta.dir, "block-samples.txt")).text())
  .split(/^=== /m)
  .slice(1)
  .map((sample) => {
    const [name = "", ...rows] = sample.trimEnd().split("\n");
    return {
      name,
      rows: rows.map((row) => ({ want: row.slice(0, 5).trim(), code: row.slice(6) })),
    };
  });

const NAMES: Record<string, string> = {
  blank_line: ".",
  closing_line: "close",
  no_block: "none",
  syntax_error: "error",
};

test.each(samples)("$name: the block of every line", async ({ name, rows }) => {
  const text = rows.map(({ code }) => `${code}\n`).join("");
  const language = detectLanguage(name)!.name;
  for (const newline of ["\n", "\r\n"]) {
    const source = await parsed(text.replaceAll("\n", newline), language);
    const found = rows.map((_, at) => {
      const block = blockAt(source, at + 1);
      if (block.ok) expect(block.value.start).toBe(at + 1);
      return block.ok ? String(block.value.end) : NAMES[block.failure.code];
    });
    expect(found).toEqual(rows.map(({ want }) => want));
  }
});

test("there is a sample for every language", () => {
  expect(new Set(samples.map(({ name }) => detectLanguage(name)!.name)).size).toBe(27);
});

test.each([
  ["a line that is not there", "a;\n", "javascript", 2, "no_such_line"],
  ["line zero", "a;\n", "javascript", 0, "no_such_line"],
  ["half a line", "a;\n", "javascript", 1.5, "no_such_line"],
  ["an empty text", "", "javascript", 1, "no_such_line"],
  ["a line of spaces", "a;\n  \nb;\n", "javascript", 2, "blank_line"],
  ["an unclosed function", "function f() {\n  a(\n", "javascript", 1, "syntax_error"],
  ["a missing bracket", "foo(1;\nbar();\n", "typescript", 1, "syntax_error"],
  [
    "a sound neighbour of an error",
    "let = = ;\n\nfunction g() {\n  h();\n}\n",
    "javascript",
    3,
    "3-5",
  ],
  ["an error outside the block", "def f():\n    g(1)\n\nx = = 1\n", "python", 1, "1-2"],
  ["the first statement of a file", "a();\nb();\n", "javascript", 1, "1-1"],
  ["the first statement of a body", "def f():\n    a()\n    b()\n", "python", 2, "2-2"],
  ["a byte order mark", "\ufefffunction f() {\n  a();\n}\n", "javascript", 1, "1-3"],
  ["text that is two units long", "let a = '😀日本';\nf(\n  1,\n);\n", "javascript", 2, "2-4"],
  ["no newline at the end", "if (a) {\n  b();\n}", "javascript", 1, "1-3"],
  ["a chain", "a\n  .b()\n  .c();\n", "javascript", 1, "1-3"],
  ["the middle of a chain", "a\n  .b()\n  .c();\n", "javascript", 2, "no_block"],
] as const)("%s", async (_, text, language, line, want) => {
  expect(await codeAt(text, language, line)).toBe(want);
});

const name = fc.constantFrom("a", "b", "日本", "x1");

/** Statements that may be taken out without breaking what is around them. */
const javascript: fc.Arbitrary<string[]> = fc.letrec<{ block: string[]; statement: string[] }>(
  (tie) => ({
    statement: fc.oneof(
      { maxDepth: 3 },
      name.map((id) => [`${id}("😀");`]),
      fc.tuple(name, tie("block")).map(([id, body]) => [`if (${id}) {`, ...indent(body), "}"]),
      fc
        .tuple(name, tie("block"))
        .map(([id, body]) => [`function ${id}() {`, ...indent(body), "}"]),
      name.map((id) => [`const { ${id} } = {`, `  ${id}: [`, "    1,", "  ],", "};"]),
      name.map((id) => [`${id}`, "  .then(f)", "  .catch(g);"]),
    ),
    block: fc.array(tie("statement"), { maxLength: 3 }).map((parts) => parts.flat()),
  }),
).block;

const python: fc.Arbitrary<string[]> = fc.letrec<{ block: string[]; statement: string[] }>(
  (tie) => ({
    statement: fc.oneof(
      { maxDepth: 3 },
      name.map((id) => [`${id}("😀")`]),
      fc.tuple(name, tie("block")).map(([id, body]) => [`if ${id}:`, "    pass", ...indent(body)]),
      fc
        .tuple(name, tie("block"))
        .map(([id, body]) => ["@cache", `def ${id}():`, "    pass", ...indent(body)]),
      name.map((id) => [`${id} = [`, "    1,", "]"]),
    ),
    block: fc.array(tie("statement"), { maxLength: 3 }).map((parts) => parts.flat()),
  }),
).block;

function indent(lines: string[]): string[] {
  return lines.map((line) => `    ${line}`);
}

test.each([
  ["javascript", javascript],
  ["python", python],
] as const)(
  "a program of %s without one of its statements is still one",
  async (language, program) => {
    await fc.assert(
      fc.asyncProperty(program, fc.nat(), async (lines, at) => {
        fc.pre(lines.length > 0);
        const text = lines.map((line) => `${line}\n`).join("");
        const line = (at % lines.length) + 1;
        // Inside an expression there is nothing to take out.
        fc.pre(/^\s*(?:if|function|const|def|@|\S+\(")/.test(lines[line - 1]!));
        fc.pre(!lines[line - 2]?.includes("@cache"));
        const block = blockAt(await parsed(text, language), line);
        expect(block.ok).toBe(true);
        if (!block.ok) return;
        const { start, end } = block.value;
        expect(start).toBe(line);
        expect(end).toBeGreaterThanOrEqual(start);
        expect(end).toBeLessThanOrEqual(lines.length);
        const rest = [...lines.slice(0, start - 1), ...lines.slice(end)].join("\n");
        expect(findFlaw((await parsed(rest, language)).root)).toBeUndefined();
      }),
      { numRuns: 150 },
    );
  },
);
