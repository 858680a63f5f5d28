import { expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { detectLanguage } from "./detect-language.ts";
import { LANGUAGES } from "./language-table.ts";
import { parseSource } from "./parse-source.ts";
import { SourceLines } from "./source-lines.ts";
import { summarize, type Summary } from "./summary.ts";

const ALWAYS = { minLines: 0, minElidedShare: 0 };

async function summaryOf(text: string, language: string): Promise<Summary | undefined> {
  const source = await parseSource(text, language);
  if (!source.ok) throw new Error(source.failure.message);
  const summary = summarize(source.value, ALWAYS);
  if (!summary.ok) throw new Error(summary.failure.message);
  return summary.value.worthwhile ? summary.value : undefined;
}

function checkPartition(summary: Summary, text: string): void {
  expect(summary.lines).toBe(new SourceLines(text).count);
  let next = 1;
  let before: string | undefined;
  for (const { kind, from, to } of summary.spans) {
    if (from !== next || to < from || (kind === before && kind === "kept")) {
      throw new Error(`${kind} ${from}-${to} does not follow ${next - 1}`);
    }
    next = to + 1;
    before = kind;
  }
  expect(next).toBe(summary.lines + 1);
  const elided = summary.spans.filter(({ kind }) => kind === "elided");
  expect(summary.elidedSpans).toBe(elided.length);
  expect(summary.elidedLines).toBe(elided.reduce((sum, { from, to }) => sum + to - from + 1, 0));
}

/** The lines that are kept, with `…` for what is left out. */
async function shown(text: string, language: string): Promise<string> {
  const summary = await summaryOf(text, language);
  if (!summary) return text;
  checkPartition(summary, text);
  const lines = text.split("\n");
  return summary.spans
    .flatMap(({ kind, from, to }) => (kind === "kept" ? lines.slice(from - 1, to) : ["…"]))
    .join("\n");
}

const five = (line: (at: number) => string): string =>
  [1, 2, 3, 4, 5].map((at) => line(at)).join("\n");

test("bodies go, signatures and members stay, in classes inside classes too", async () => {
  const text = `import os

class Outer:
    """Holds."""

    class Inner:
        def small(self):
            return 1

        @property
        def large(self):
            """Says why.

            At length.
            """
${five((at) => `            step(${at})`)}

def after():
${five((at) => `    step(${at})`)}
`;
  expect(await shown(text, "python")).toBe(`import os

class Outer:
    """Holds."""

    class Inner:
        def small(self):
            return 1

        @property
        def large(self):
            """Says why.
…

def after():
…`);
});

test("a group of tests shows its tests, a table of functions its functions", async () => {
  const text = `describe("x", () => {
  test("y", () => {
${five((at) => `    step(${at});`)}
  });
});
const table = {
  one() {
${five((at) => `    step(${at});`)}
  },
};
interface Kept {
${five((at) => `  field${at}: string;`)}
}
`;
  expect(await shown(text, "typescript")).toBe(`describe("x", () => {
  test("y", () => {
…
  });
});
const table = {
  one() {
…
  },
};
interface Kept {
${five((at) => `  field${at}: string;`)}
}`);
});

test.each([
  ["go", "func f() error {", "\tstep()", "}"],
  ["rust", "impl A {\n    pub fn f(&self) {", "        step();", "    }\n}"],
  ["java", "class A {\n    void f()\n    {", "        step();", "    }\n}"],
  ["c", "static int f(int a) {", "  step();", "}"],
  ["cpp", "namespace n {\nint f() {", "  step();", "}\n}"],
  ["csharp", "class A\n{\n    void F()\n    {", "        Step();", "    }\n}"],
  ["ruby", "module A\n  def f", "    step", "  end\nend"],
  ["elixir", "defmodule A do\n  def f do", "    step()", "  end\nend"],
  ["php", "<?php\nclass A {\n    function f() {", "        step();", "    }\n}"],
  ["kotlin", "class A {\n    fun f() {", "        step()", "    }\n}"],
  ["swift", "class A {\n    func f() {", "        step()", "    }\n}"],
  ["scala", "object A {\n  def f() = {", "    step()", "  }\n}"],
  ["dart", "int f() {", "  step();", "}"],
  ["lua", "function f()", "  step()", "end"],
  ["bash", "f() {", "  step", "}"],
  ["javascript", "export const f = async () => {", "  step();", "};"],
  ["css", "@media print {\n  .a {", "    color: red;", "  }\n}"],
])("%s: only the body goes", async (language, head, line, tail) => {
  const text = `${head}\n${five(() => line)}\n${tail}\n`;
  expect((await shown(text, language)).trimEnd()).toBe(`${head}\n…\n${tail}`);
});

test("prose keeps headings and what opens a section", async () => {
  const long = Array.from({ length: 8 }, (_, at) => `Paragraph ${at}.\n`).join("\n");
  const text = `# Title\n\nOpening.\n\n${long}\n## Part\n\nMore.\n\n${long}`;
  expect(await shown(text, "markdown")).toBe("# Title\n\nOpening.\n…\n\n## Part\n\nMore.\n…");
});

test("deep data goes, its first levels stay", async () => {
  const deep = five((at) => `      "k${at}": 1,`);
  const text = `{\n  "a": {\n    "b": {\n${deep}\n      "z": 1\n    },\n    "c": 2\n  }\n}\n`;
  const want = '{\n  "a": {\n    "b": {\n…\n    },\n    "c": 2\n  }\n}';
  expect(await shown(text, "json")).toBe(want);
});

test("a short text, or one with little to leave out, is read whole", async () => {
  const whole = async (text: string, language = "javascript") => {
    const source = await parseSource(text, language);
    return source.ok ? summarize(source.value) : source;
  };
  const value = { worthwhile: false };
  expect(await whole("a();\n")).toMatchObject({ ok: true, value: { ...value, why: "short" } });
  const prose = `# Title\n${"\nText.\n".repeat(100)}`;
  expect(await whole(prose, "md")).toMatchObject({ ok: true, value: { ...value, why: "short" } });
  const flat = "a();\n".repeat(200);
  expect(await whole(flat)).toMatchObject({
    ok: true,
    value: { ...value, why: "little_to_elide" },
  });
  expect(await whole("a();\n".repeat(20_001))).toMatchObject({
    ok: false,
    failure: { code: "too_large" },
  });
});

test("every file of this repository is parted without gap or overlap", async () => {
  const root = join(import.meta.dir, "../../../..");
  const globs = ["packages/*/src", "scripts", "docs", "test"].map(
    (folder) => new Bun.Glob(`${folder}/**/*.{ts,mjs,md,json,sh}`),
  );
  let files = 0;
  let shorter = 0;
  const paths = globs.flatMap((glob) => [...glob.scanSync({ cwd: root })]);
  for (const path of paths) {
    const text = await Bun.file(join(root, path)).text();
    if (text.length > 200_000) continue;
    const summary = await summaryOf(text, detectLanguage(path)!.name);
    files++;
    if (!summary) continue;
    shorter++;
    checkPartition(summary, text);
  }
  expect(files).toBeGreaterThan(300);
  expect(shorter).toBeGreaterThan(files / 2);
}, 120_000);

test("a literal of very many members is no matter", async () => {
  const text = `x = [\n${`${"1,".repeat(10_000)}\n`.repeat(20)}];\n`;
  expect((await summaryOf(text, "javascript"))?.elidedLines).toBe(17);
});

const LINES = [
  "{",
  "}",
  "f() {",
  "def a():",
  "  x = 1",
  "\tx",
  "",
  "# h",
  "- a",
  "a: b",
  "end",
  "(",
];

test("any text of any language is parted without gap or overlap", async () => {
  const text = fc
    .array(fc.oneof(fc.constantFrom(...LINES), fc.string({ unit: "binary", maxLength: 12 })), {
      maxLength: 40,
    })
    .map((lines) => lines.join("\n"));
  const language = fc.constantFrom(...LANGUAGES.map(({ name }) => name));
  await fc.assert(
    fc.asyncProperty(text, language, async (content, name) => {
      const summary = await summaryOf(content, name);
      if (summary) checkPartition(summary, content);
    }),
    { numRuns: 400 },
  );
});
