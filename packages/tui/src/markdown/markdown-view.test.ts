import { expect, test } from "bun:test";
import { TerminalEmulator } from "@tau/testkit/terminal-emulator";
import fc from "fast-check";
import { builtInTheme, colourlessTheme } from "../theme/built-in-theme.ts";
import { displayWidth } from "../width.ts";
import { MarkdownView, type MarkdownOptions } from "./markdown-view.ts";

const PLAIN: MarkdownOptions = { theme: colourlessTheme(), hyperlinks: "off" };
const COLOURED: MarkdownOptions = {
  theme: builtInTheme("dark", { depth: "truecolor" }),
  hyperlinks: "on",
};

function rowsOf(text: string, columns = 40, options = PLAIN): readonly string[] {
  const view = new MarkdownView(options);
  view.append(text);
  view.finish();
  return view.render(columns).rows;
}

test("blocks", () => {
  const text = `# Title

Some text that is *quite* long and **wraps** at the width.
- one
  - nested
- [x] done
- [ ] open

1. first
1. second

> quoted
> text

---
Under
=====
\`\`\`ts
const a = 1;
\`\`\`
hard  
break`;
  expect(rowsOf(text)).toEqual([
    "Title",
    "",
    "Some text that is quite long and wraps",
    "at the width.",
    "",
    "• one",
    "  • nested",
    "☑ done",
    "☐ open",
    "",
    "1. first",
    "2. second",
    "",
    "│ quoted text",
    "",
    "────────────────────────────────────────",
    "",
    "Under",
    "",
    "─── ts",
    "const a = 1;",
    "───",
    "",
    "hard",
    "break",
  ]);
});

test("tables fit, shrink or fold", () => {
  const table = "| Name | What it does |\n|---|--:|\n| read | reads a file |\n| `a|b` | pipes |";
  expect(rowsOf(table, 40)).toEqual([
    "Name │ What it does",
    "─────┼─────────────",
    "read │ reads a file",
    "a|b  │        pipes",
  ]);
  for (const row of rowsOf(table, 14)) expect(displayWidth(row)).toBeLessThanOrEqual(14);
  expect(rowsOf(table, 9)).toEqual([
    "Name:",
    "read",
    "What it",
    "does:",
    "reads a",
    "file",
    "",
    "Name: a|b",
    "What it",
    "does:",
    "pipes",
  ]);
});

test("styles and links reach a terminal as such", async () => {
  const view = new MarkdownView(COLOURED);
  view.append("a **b** *c* `d` ~~e~~ [text](https://example.org/x) snake_case_name ~/x ~/y");
  view.finish();
  const emulator = new TerminalEmulator({ columns: 80, rows: 4, reply: () => undefined });
  emulator.write(view.render(80).rows.join("\r\n"));
  await emulator.flush();
  expect(emulator.screen()[0]).toBe("a b c d e text snake_case_name ~/x ~/y");
  expect(emulator.cell(0, 2)).toMatchObject({ text: "b", bold: true });
  expect(emulator.cell(0, 4)).toMatchObject({ text: "c", italic: true });
  expect(emulator.cell(0, 6)).toMatchObject({ text: "d", foreground: "#56b6c2" });
  expect(emulator.cell(0, 8)).toMatchObject({ text: "e", strikethrough: true });
  expect(emulator.cell(0, 10)).toMatchObject({ text: "t", link: "https://example.org/x" });
  expect(emulator.cell(0, 15)).toMatchObject({ link: undefined });
  emulator.dispose();
});

test("without clickable links the address is readable; hostile ones are never sequences", () => {
  expect(rowsOf("see [docs](https://x.org/a_b)", 60)).toEqual(["see docs (https://x.org/a_b)"]);
  expect(rowsOf("https://x.org/a, <https://y.org>", 60)).toEqual([
    "https://x.org/a, https://y.org",
  ]);
  const [row] = rowsOf(
    "[a](javascript:alert(1)) \x1b]52;c;eA==\x07\x1b[2Jtext \u202eabc",
    60,
    COLOURED,
  );
  expect(row).not.toContain("]8;;");
  expect(row).not.toContain("]52");
  expect(row).not.toContain("\x1b[2J");
  expect(row).not.toContain("\u202e");
});

test("long code is stable line by line and coloured once a line", () => {
  const seen: string[] = [];
  const highlighter = {
    start: (language: string) =>
      language === "ts"
        ? (line: string) => {
            seen.push(line);
            return [
              { text: line.slice(0, 1), paint: (text: string) => `<${text}>` },
              { text: line.slice(1) },
            ];
          }
        : undefined,
  };
  const view = new MarkdownView({ ...PLAIN, highlighter });
  view.append("```ts\nabc\nde");
  expect(view.render(20)).toEqual({ rows: ["─── ts", "<a>bc", "de"], stableRows: 2 });
  view.append("f\n");
  view.render(20);
  view.render(10);
  view.append("```\n");
  expect(view.render(20)).toEqual({ rows: ["─── ts", "<a>bc", "<d>ef", "───"], stableRows: 4 });
  expect(seen).toEqual(["abc", "def"]);
  expect(view.state).toBe("live");
});

test("text that is still arriving does not flash: marks wait, open styles already show", () => {
  const view = new MarkdownView(PLAIN);
  const shown = (delta: string): readonly string[] => {
    view.append(delta);
    return view.render(40).rows;
  };
  expect(shown("so **it is")).toEqual(["so it is"]);
  expect(shown("** and `cod")).toEqual(["so it is and cod"]);
  expect(shown("e`\n-")).toEqual(["so it is and code"]);
  expect(shown(" **a")).toEqual(["so it is and code", "", "• a"]);
  view.finish();
  expect(view.render(40).rows.at(-1)).toBe("• **a");
});

test("an endless line is the same however it comes", () => {
  const line = "\u{1f600}x".repeat(12_000);
  const view = new MarkdownView(PLAIN);
  for (let at = 0; at < line.length; at += 7_777) view.append(line.slice(at, at + 7_777));
  view.append("\nend");
  view.finish();
  expect(view.render(50).rows).toEqual([...rowsOf(`${line}\nend`, 50)]);
});

const fragment = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom("word ", "a", "日本語", "e\u0301", "👩‍👩‍👧", "long-unbroken-word"),
  },
  { weight: 3, arbitrary: fc.constantFrom("\n", "\n\n", "\r\n", "  \n") },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "- ",
      "  - ",
      "1. ",
      "> ",
      "# ",
      "```",
      "```ts\n",
      "~~~\n",
      "    ",
      "---\n",
      "===\n",
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "*",
      "**",
      "_",
      "`",
      "~~",
      "[",
      "](http://a.b)",
      "![",
      "<br>",
      "\\",
      "&lt;",
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom("| a | b |\n", "|---|---|\n", "|", "\t", "[x] ") },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom("\x1b[31m", "\x1b]8;;x\x07", "\u202e", "\x9b2J") },
);
const chunks = fc.array(
  fc.array(fragment, { maxLength: 8 }).map((parts) => parts.join("")),
  { maxLength: 12 },
);
const width = fc.integer({ min: 1, max: 60 });

test("law: any chunking gives the rows of the whole, and stable rows never change", () => {
  fc.assert(
    fc.property(chunks, width, fc.constantFrom(PLAIN, COLOURED), (parts, columns, options) => {
      const view = new MarkdownView(options);
      let stable: readonly string[] = [];
      let soFar = "";
      const check = (): void => {
        const { rows, stableRows } = view.render(columns);
        expect(stableRows).toBeLessThanOrEqual(rows.length);
        expect(rows.slice(0, stable.length)).toEqual([...stable]);
        expect(stableRows).toBeGreaterThanOrEqual(stable.length);
        stable = rows.slice(0, stableRows);
      };
      for (const part of parts) {
        view.append(part);
        soFar += part;
        check();
        const atOnce = new MarkdownView(options);
        atOnce.append(soFar);
        expect(view.render(columns)).toEqual(atOnce.render(columns));
      }
      view.finish();
      check();
      expect(view.render(columns).rows).toEqual([...rowsOf(soFar, columns, options)]);
      expect(stable).toEqual(view.render(columns).rows);
    }),
    { numRuns: 250 },
  );
});

test("law: rows fit the width and carry nothing but looks and links", () => {
  fc.assert(
    fc.property(chunks, width, fc.constantFrom(PLAIN, COLOURED), (parts, columns, options) => {
      for (const row of rowsOf(parts.join(""), columns, options)) {
        expect(displayWidth(row)).toBeLessThanOrEqual(columns);
        const bare = row.replace(/\x1b\[[\d;]*m|\x1b\]8;;[\x21-\x7e]*?\x1b\\/g, "");
        expect(bare).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
      }
    }),
    { numRuns: 300 },
  );
});

// Bounds far above what it takes; a quadratic would be far above them.
test("hostile text takes no longer than its length", () => {
  const size = 20_000;
  const texts = ["*a ", "_", "[", "](", "`a``", "> ", "- ", "|a", "**a*", "<h", "![a]("];
  const start = performance.now();
  for (const text of texts) expect(rowsOf(text.repeat(size), 80).length).toBeGreaterThan(0);
  expect(performance.now() - start).toBeLessThan(15_000);
});
