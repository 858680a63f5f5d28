// Brings a block into rows. What a block looks like depends on the block and the width
// alone, so rows once made stay true.

import { breakSpans, wrapSpans, type Span } from "../components/spans.ts";
import { layoutTable } from "../components/table-layout.ts";
import { layered, type Paint, type Theme } from "../theme/theme.ts";
import { displayWidth } from "../width.ts";
import { BlockScanner, type Block, type CodeFence, type PlacedBlock } from "./block-scanner.ts";
import { checkedSpans, type CodeHighlighter, type HighlightLine } from "./code-highlighter.ts";
import { parseInline } from "./inline.ts";

/** Whether more of a block's text may still come. */
export type End = "finished" | "unfinished";

export interface MarkdownLook {
  theme: Theme;
  hyperlinks: "on" | "off";
  highlighter?: CodeHighlighter;
}

// Deeper nesting than this is hostile, and narrower than readable anyway.
const MAX_DEPTH = 8;
// Less room than this for the text, and marks and indents are left out.
const MIN_INNER_COLUMNS = 8;
const MAX_RULE_COLUMNS = 80;

export class BlockLayout {
  readonly #look: MarkdownLook;
  readonly #base: Paint;
  readonly #depth: number;
  readonly #starts = new WeakMap<CodeFence, { line: HighlightLine | undefined }>();
  readonly #coloured = new WeakMap<Block, readonly Span[]>();

  constructor(look: MarkdownLook, base: Paint, depth = 0) {
    this.#look = look;
    this.#base = base;
    this.#depth = depth;
  }

  /** Rows of a block; `unfinished` code is not coloured, for the colours may still change. */
  rows({ block, gap }: PlacedBlock, columns: number, end: End): string[] {
    const rows = this.#rowsOf(block, Math.max(1, columns), end);
    return gap ? ["", ...rows] : rows;
  }

  #rowsOf(block: Block, columns: number, end: End): string[] {
    const { theme } = this.#look;
    switch (block.kind) {
      case "paragraph":
        return this.#inline(block.text, columns, this.#base, end);
      case "heading":
        return this.#heading(block, columns, end);
      case "rule":
        return [theme.style("mdHr")(this.#line(Math.min(columns, MAX_RULE_COLUMNS)))];
      case "fence-open": {
        const head: Span[] = [{ text: this.#line(3), paint: theme.style("mdCodeBlockBorder") }];
        if (block.fence.language !== "") {
          head.push({ text: ` ${block.fence.language}`, paint: theme.style("muted") });
        }
        return breakSpans(head, columns).slice(0, 1);
      }
      case "code-line":
        return breakSpans(
          end === "finished" ? this.#colour(block) : this.#plainCode(block.text),
          columns,
        );
      case "fence-close":
        return [theme.style("mdCodeBlockBorder")(this.#line(Math.min(3, columns)))];
      case "quote": {
        const bar = `${theme.symbols.quoteBar} `;
        const paint = theme.style("mdQuoteBorder");
        return this.#nested(block.lines, columns, theme.style("mdQuote"), {
          first: bar,
          rest: bar,
          paint,
          end,
        });
      }
      case "item":
        return this.#item(block, columns, end);
      case "table":
        return this.#table(block, columns);
    }
  }

  #line(columns: number): string {
    return this.#look.theme.symbols.rule.repeat(Math.max(1, columns));
  }

  #inline(text: string, columns: number, base: Paint, end: End): string[] {
    const look = { theme: this.#look.theme, hyperlinks: this.#look.hyperlinks, base };
    return parseInline(text, look, end).flatMap((spans) => wrapSpans(spans, columns));
  }

  #heading({ level, text }: { level: number; text: string }, columns: number, end: End): string[] {
    const { theme } = this.#look;
    let paint = layered(theme.attribute("bold"), theme.style("mdHeading"));
    if (level === 1) paint = layered(theme.attribute("underline"), paint);
    // Deep headings look alike; their marks tell them apart.
    const mark = level > 2 ? `${"#".repeat(level)} ` : "";
    return this.#inline(mark + text, columns, paint, end);
  }

  #plainCode(text: string): Span[] {
    return [{ text, paint: this.#look.theme.style("mdCodeBlock") }];
  }

  #colour(block: Block & { kind: "code-line" }): readonly Span[] {
    const known = this.#coloured.get(block);
    if (known) return known;
    let start = this.#starts.get(block.fence);
    if (!start) {
      const { language } = block.fence;
      start = { line: language === "" ? undefined : this.#look.highlighter?.start(language) };
      this.#starts.set(block.fence, start);
    }
    const spans = start.line ? checkedSpans(block.text, start.line) : this.#plainCode(block.text);
    this.#coloured.set(block, spans);
    return spans;
  }

  #item(block: Block & { kind: "item" }, columns: number, end: End): string[] {
    const { symbols } = this.#look.theme;
    const lines = [...block.lines];
    const task = /^\[([ xX])\][ ]+(?=\S)/.exec(lines[0] ?? "");
    let mark = block.mark.ordered ? `${block.number}${block.mark.sign}` : symbols.bullet;
    if (task) {
      lines[0] = lines[0]!.slice(task[0].length);
      const sign = task[1] === " " ? symbols.taskOpen : symbols.taskDone;
      mark = block.mark.ordered ? `${mark} ${sign}` : sign;
    }
    const first = `${mark} `;
    const paint = this.#look.theme.style("mdListBullet");
    return this.#nested(lines, columns, this.#base, {
      first,
      rest: " ".repeat(displayWidth(first)),
      paint,
      end,
    });
  }

  #table(block: Block & { kind: "table" }, columns: number): string[] {
    const look = { theme: this.#look.theme, hyperlinks: this.#look.hyperlinks };
    const cell = (base: Paint) => (text: string) =>
      parseInline(text, { ...look, base }, "finished").flatMap((line, index) =>
        index === 0 ? line : [{ text: " " }, ...line],
      );
    const content = {
      header: block.header.map(cell(layered(look.theme.attribute("bold"), this.#base))),
      // A row has the cells of its header, as everywhere.
      rows: block.rows.map((row) => row.slice(0, block.header.length).map(cell(this.#base))),
      alignments: block.alignments,
    };
    return layoutTable(content, columns, look.theme);
  }

  #nested(
    lines: readonly string[],
    columns: number,
    base: Paint,
    marks: { first: string; rest: string; paint: Paint; end: End },
  ): string[] {
    const room = columns - displayWidth(marks.first);
    const isCramped = room < MIN_INNER_COLUMNS;
    const inner = isCramped ? columns : room;
    const rows =
      this.#depth >= MAX_DEPTH
        ? this.#inline(lines.join("\n"), inner, base, marks.end)
        : this.#children(lines, inner, base, marks.end);
    if (isCramped) return rows;
    if (rows.length === 0) rows.push("");
    return rows.map((row, index) => {
      const mark = index === 0 ? marks.first : marks.rest;
      return row === "" ? marks.paint(mark.trimEnd()) : marks.paint(mark) + row;
    });
  }

  #children(lines: readonly string[], columns: number, base: Paint, end: End): string[] {
    const scanner = new BlockScanner("tight");
    const layout = new BlockLayout(this.#look, base, this.#depth + 1);
    const blocks = lines.flatMap((line) => scanner.line(line));
    blocks.push(...scanner.end());
    return blocks.flatMap((block, index) =>
      layout.rows(block, columns, index === blocks.length - 1 ? end : "finished"),
    );
  }
}
