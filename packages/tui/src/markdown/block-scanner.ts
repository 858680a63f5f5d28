// Cuts a stream of lines into blocks. It decides only on whole lines and only from what
// came before them, so the same text gives the same blocks however it arrives, and a block
// that was given out never changes.

import type { Alignment } from "../components/table-layout.ts";
import {
  alignmentsOf,
  cellsOf,
  closesFence,
  fenceOf,
  headingOf,
  indentOf,
  interruptsParagraph,
  isBlank,
  isRule,
  itemOf,
  quotedOf,
  underlineOf,
  type FenceMark,
  type ItemMark,
} from "./line-patterns.ts";

/** A fence's lines are blocks of their own: long code need not wait for its end. */
export interface CodeFence {
  language: string;
}

export type Block =
  | { kind: "paragraph"; text: string }
  | { kind: "heading"; level: number; text: string }
  | { kind: "rule" }
  | { kind: "fence-open"; fence: CodeFence }
  | { kind: "code-line"; fence: CodeFence; text: string }
  | { kind: "fence-close" }
  | { kind: "quote"; lines: readonly string[] }
  | { kind: "item"; mark: ItemMark; number: number; lines: readonly string[] }
  | {
      kind: "table";
      header: readonly string[];
      alignments: readonly Alignment[];
      rows: readonly string[][];
    };

export interface PlacedBlock {
  block: Block;
  /** Whether an empty row stands before it. */
  gap: boolean;
}

type OpenBlock =
  | { kind: "paragraph"; lines: string[] }
  | { kind: "fence"; mark: FenceMark; fence: CodeFence }
  | { kind: "indented"; fence: CodeFence; blanks: number }
  | { kind: "quote"; lines: string[]; inFence: FenceMark | undefined }
  | { kind: "item"; mark: ItemMark; lines: string[]; inFence: FenceMark | undefined }
  | { kind: "table"; header: string[]; alignments: Alignment[]; rows: string[][] };

/** Of a block that is laid out anew with every frame while it grows. */
const MAX_BLOCK_CHARS = 64 * 1024;
const CODE_INDENT = 4;
/** Markers this far in belong to the item above, though the letter of the rules wants more. */
const NESTED_INDENT = 2;

/** `tight`, inside lists and quotes: empty rows only where the text has empty lines. */
export type Spacing = "open" | "tight";

export class BlockScanner {
  readonly #spacing: Spacing;
  #open: OpenBlock | undefined;
  #openChars = 0;
  #out: PlacedBlock[] = [];
  #previous: Block["kind"] | undefined;
  #blankBefore = false;
  #list: { ordered: boolean; sign: string; next: number } | undefined;

  constructor(spacing: Spacing = "open") {
    this.#spacing = spacing;
  }

  /** Takes a whole line; gives out the blocks that it completed. */
  line(line: string): PlacedBlock[] {
    this.#take(line);
    this.#openChars += line.length + 1;
    if (this.#openChars > MAX_BLOCK_CHARS && this.#open?.kind !== "fence") this.#close();
    return this.#drain();
  }

  /** No more lines: gives out what was open. */
  end(): PlacedBlock[] {
    this.#close();
    return this.#drain();
  }

  /** A second scanner that goes on from here: to see what unfinished text looks like. */
  fork(): BlockScanner {
    const copy = new BlockScanner(this.#spacing);
    copy.#open = structuredClone(this.#open);
    // Code lines are told apart by their fence; it must stay the same one.
    if (copy.#open && "fence" in copy.#open && this.#open && "fence" in this.#open) {
      copy.#open.fence = this.#open.fence;
    }
    copy.#openChars = this.#openChars;
    copy.#previous = this.#previous;
    copy.#blankBefore = this.#blankBefore;
    copy.#list = this.#list && { ...this.#list };
    return copy;
  }

  #drain(): PlacedBlock[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  #take(line: string): void {
    const open = this.#open;
    switch (open?.kind) {
      case "fence":
        if (closesFence(line, open.mark)) this.#close();
        else
          this.#emit({
            kind: "code-line",
            fence: open.fence,
            text: dedent(line, open.mark.indent),
          });
        return;
      case "indented":
        return this.#continueIndented(open, line);
      case "paragraph":
        return this.#continueParagraph(open, line);
      case "quote": {
        const quoted = quotedOf(line);
        if (quoted === undefined && !isLazy(open, line)) break;
        return pushInner(open, quoted ?? line);
      }
      case "item": {
        const nested =
          indentOf(line) >= NESTED_INDENT && itemOf(line, open.mark.contentIndent) !== undefined;
        const inside = isBlank(line) || nested || indentOf(line) >= open.mark.contentIndent;
        if (!inside && !isLazy(open, line)) break;
        return pushInner(open, dedent(line, open.mark.contentIndent));
      }
      case "table":
        if (!line.includes("|") || interruptsParagraph(line)) break;
        open.rows.push(cellsOf(line));
        return;
      case undefined:
        break;
    }
    this.#close();
    this.#begin(line);
  }

  #begin(line: string): void {
    this.#openChars = 0;
    if (isBlank(line)) {
      this.#blankBefore = true;
      return;
    }
    const heading = headingOf(line);
    if (heading) return this.#emit({ kind: "heading", ...heading });
    if (isRule(line)) return this.#emit({ kind: "rule" });
    const mark = fenceOf(line);
    if (mark) {
      const fence: CodeFence = { language: mark.language };
      this.#open = { kind: "fence", mark, fence };
      return this.#emit({ kind: "fence-open", fence });
    }
    const quoted = quotedOf(line);
    if (quoted !== undefined) {
      this.#open = { kind: "quote", lines: [], inFence: undefined };
      return pushInner(this.#open, quoted);
    }
    const item = itemOf(line);
    if (item) {
      this.#open = { kind: "item", mark: item, lines: [], inFence: undefined };
      return pushInner(this.#open, item.content);
    }
    if (indentOf(line) >= CODE_INDENT) {
      const fence: CodeFence = { language: "" };
      this.#open = { kind: "indented", fence, blanks: 0 };
      this.#emit({ kind: "fence-open", fence });
      return this.#emit({ kind: "code-line", fence, text: dedent(line, CODE_INDENT) });
    }
    this.#open = { kind: "paragraph", lines: [line] };
  }

  #continueParagraph(open: { lines: string[] }, line: string): void {
    if (isBlank(line)) {
      this.#close();
      this.#blankBefore = true;
      return;
    }
    const level = underlineOf(line);
    if (level !== undefined) {
      this.#open = undefined;
      return this.#emit({ kind: "heading", level, text: open.lines.join("\n") });
    }
    const alignments = alignmentsOf(line);
    const header = alignments && cellsOf(open.lines.at(-1)!);
    if (alignments && header && header.length === alignments.length) {
      open.lines.pop();
      this.#close();
      this.#open = { kind: "table", header, alignments, rows: [] };
      return;
    }
    if (interruptsParagraph(line)) {
      this.#close();
      return this.#begin(line);
    }
    open.lines.push(line);
  }

  #continueIndented(open: { fence: CodeFence; blanks: number }, line: string): void {
    if (isBlank(line)) {
      open.blanks++;
      return;
    }
    if (indentOf(line) < CODE_INDENT) {
      this.#close();
      return this.#begin(line);
    }
    const { fence } = open;
    for (; open.blanks > 0; open.blanks--) this.#emit({ kind: "code-line", fence, text: "" });
    this.#emit({ kind: "code-line", fence, text: dedent(line, CODE_INDENT) });
  }

  #close(): void {
    const open = this.#open;
    this.#open = undefined;
    this.#openChars = 0;
    switch (open?.kind) {
      case undefined:
        return;
      case "paragraph":
        if (open.lines.length > 0) this.#emit({ kind: "paragraph", text: open.lines.join("\n") });
        return;
      case "fence":
      case "indented":
        return this.#emit({ kind: "fence-close" });
      case "table":
        return this.#emit(open);
      case "quote":
      case "item": {
        const lines = [...open.lines];
        while (lines.length > 0 && isBlank(lines.at(-1)!)) lines.pop();
        const hadBlank = lines.length < open.lines.length;
        if (open.kind === "quote") this.#emit({ kind: "quote", lines });
        else
          this.#emit({ kind: "item", mark: open.mark, number: this.#numberOf(open.mark), lines });
        this.#blankBefore = hadBlank;
      }
    }
  }

  #numberOf(mark: ItemMark): number {
    const list = this.#list;
    const goesOn = list && list.ordered === mark.ordered && list.sign === mark.sign;
    const number = goesOn ? list.next : mark.number;
    this.#list = { ordered: mark.ordered, sign: mark.sign, next: number + 1 };
    return number;
  }

  #emit(block: Block): void {
    const before = this.#previous;
    const inCode = block.kind === "code-line" || block.kind === "fence-close";
    const isTight = this.#spacing === "tight" || (block.kind === "item" && before === "item");
    const gap = before !== undefined && !inCode && (!isTight || this.#blankBefore);
    this.#out.push({ block, gap });
    this.#previous = block.kind;
    this.#blankBefore = false;
    if (block.kind !== "item") this.#list = undefined;
  }
}

type Container = { lines: string[]; inFence: FenceMark | undefined };

function pushInner(open: Container, line: string): void {
  open.lines.push(line);
  if (open.inFence) {
    if (closesFence(line, open.inFence)) open.inFence = undefined;
  } else open.inFence = fenceOf(line);
}

/** Text right below a quote or an item goes on with it, without its mark. */
function isLazy(open: Container, line: string): boolean {
  const last = open.lines.at(-1) ?? "";
  return (
    !isBlank(line) && !isBlank(last) && !open.inFence && !interruptsParagraph(line) && !itemOf(line)
  );
}

function dedent(line: string, columns: number): string {
  return line.slice(Math.min(columns, indentOf(line)));
}
