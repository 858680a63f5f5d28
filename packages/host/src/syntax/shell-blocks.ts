// Blocks of shell scripts, by the parser that judges command lines. A script's lines are not its
// statements: `||` and `\` go on below, a here document hangs on a line above it, and one line may
// hold the end of one command and the start of another. So a block here is whole statements on
// whole lines, or it is refused with the lines that are.

import { parseShellLine } from "../shell-line/parse-shell-line.ts";
import { ScriptNotes, type ScriptPiece } from "../shell-line/script-notes.ts";
import type { BlockRange } from "./block-range.ts";
import { SourceLines } from "./source-lines.ts";
import { fail, succeed, type Outcome } from "./syntax-failure.ts";

/** What may follow a piece on its last line. */
const REST: Record<ScriptPiece["kind"], RegExp> = {
  statement: /^[ \t]*[;&]?[ \t]*(?:#.*)?$/,
  elif_clause: /^[ \t]*[;&]?[ \t]*(?:#.*)?$/,
  else_clause: /^[ \t]*[;&]?[ \t]*(?:#.*)?$/,
  case_item: /^[ \t]*(?:#.*)?$/,
  element: /^[ \t]*(?:#.*)?$/,
};
const CLOSING = /^(?:fi|done|esac|[})]+)(?=[\s;&|<>)"'`]|$)/;
/** An odd number of backslashes at a line's end joins it to the next one. */
const CONTINUED = /(?:^|[^\\])(?:\\\\)*\\$/;

interface Lines {
  start: number;
  end: number;
}

export class ShellBlocks {
  readonly #lines: SourceLines;
  readonly #notes = new ScriptNotes();
  /** By where they begin. */
  readonly #pieces = new Map<number, ScriptPiece>();
  readonly #membersOf = new Map<object, ScriptPiece[]>();

  constructor(written: string) {
    // Only line numbers leave this class, and a carriage return would be part of every last word.
    const text = written.replaceAll("\r\n", "\n").replace(/^\uFEFF/, "");
    this.#lines = new SourceLines(text);
    parseShellLine(text, this.#notes);
    for (const piece of this.#notes.pieces) {
      // What ends later is noted later: the outermost of those that begin here stays.
      this.#pieces.set(piece.from, piece);
      const members = this.#membersOf.get(piece.body) ?? [];
      members.push(piece);
      this.#membersOf.set(piece.body, members);
    }
  }

  /** Of a line that has ink on it. */
  at(line: number): Outcome<BlockRange> {
    const text = this.#lines.textOf(line);
    const offset = this.#lines.startOf(line) + text.search(/\S/);
    const document = this.#notes.documents.find(({ from, to }) => from <= offset && offset < to);
    if (document) return this.#inDocument(document, line);
    if (this.#isContinued(line)) return this.#inside(line);
    if (text.trim().startsWith("#") && this.#notes.comments.includes(offset))
      return succeed({ start: line, end: line, kind: "comment" });
    const piece = this.#pieces.get(offset);
    if (!piece) return this.#inside(line);
    const members = this.#sharing(piece);
    const last = members.at(-1)!;
    const end = this.#endOf(members);
    const isWhole = end !== undefined && REST[last.kind].test(this.#restOf(last));
    if (!isWhole) return this.#inside(line);
    const isSole = members.length === this.#membersOf.get(piece.body)!.length;
    const range = { start: line, end, kind: piece.kind };
    if (!isSole || !this.#notes.needed.has(piece.body)) return succeed(range);
    return succeed({ ...range, needed: this.#around(line) ?? { start: line, end } });
  }

  /** The piece and those after it that begin on a line which it ends on. */
  #sharing(piece: ScriptPiece): ScriptPiece[] {
    const all = this.#membersOf.get(piece.body)!;
    const members = [piece];
    for (const next of all.slice(all.indexOf(piece) + 1)) {
      const last = members.at(-1)!;
      if (this.#lines.lineAt(next.from) > this.#lines.lineAt(last.to - 1)) break;
      members.push(next);
    }
    return members;
  }

  /** With their here documents; undefined if one of those was not found. */
  #endOf(members: readonly ScriptPiece[]): number | undefined {
    let end = 0;
    for (const { from, to } of members) {
      end = Math.max(end, this.#lines.lineAt(to - 1));
      for (const askedAt of this.#notes.asked.filter((at) => from <= at && at < to)) {
        const document = this.#notes.documents.find((one) => one.askedAt === askedAt);
        if (!document) return undefined;
        end = Math.max(end, this.#lines.lineAt(document.endLineFrom));
      }
    }
    return end;
  }

  #restOf({ to }: ScriptPiece): string {
    const end = this.#lines.text.indexOf("\n", to - 1);
    return this.#lines.text.slice(to, end < 0 ? undefined : Math.max(to, end));
  }

  /** Whether the line above goes on here; what ends in a comment does not. */
  #isContinued(line: number): boolean {
    if (line === 1 || !CONTINUED.test(this.#lines.textOf(line - 1))) return false;
    const [from, end] = [this.#lines.startOf(line - 1), this.#lines.startOf(line)];
    const isIn = (at: number) => from <= at && at < end;
    return !this.#notes.comments.some(isIn) && !this.#notes.documents.some(({ to }) => to === end);
  }

  #inDocument(
    { from, endLineFrom }: { from: number; endLineFrom: number },
    line: number,
  ): Outcome<BlockRange> {
    const first = this.#lines.lineAt(from);
    const end = this.#lines.lineAt(endLineFrom);
    if (line === end) return closing(line, this.#around(line));
    if (line !== first) return this.#inside(line);
    return succeed({ start: line, end: end - 1, kind: "heredoc_body" });
  }

  /** The lines of the smallest whole block around a line and above it. */
  #around(line: number): Lines | undefined {
    let best: Lines | undefined;
    for (const piece of this.#notes.pieces) {
      const start = this.#lines.lineAt(piece.from);
      if (start >= line || piece.kind === "element") continue;
      if (this.#lines.textOf(start).search(/\S/) !== piece.from - this.#lines.startOf(start))
        continue;
      if (this.#isContinued(start)) continue;
      const members = this.#sharing(piece);
      const end = this.#endOf(members);
      if (end === undefined || end < line || !REST[piece.kind].test(this.#restOf(members.at(-1)!)))
        continue;
      if (!best || end - start < best.end - best.start) best = { start, end };
    }
    return best;
  }

  #inside(line: number): Outcome<BlockRange> {
    const around = this.#around(line);
    const text = this.#lines.textOf(line).trim();
    if (CLOSING.test(text)) return closing(line, around);
    const { problem } = this.#notes;
    if (problem && !around) {
      const at = this.#lines.lineAt(problem.at);
      return fail(
        "syntax_error",
        `The shell parser does not understand this script on line ${at} (${problem.reason}), so it cannot tell where the block of line ${line} ends; name its lines instead.`,
        at,
      );
    }
    const instead = around
      ? `it is part of what lines ${around.start}-${around.end} say; name these, or point at line ${around.start}`
      : "point at the line that opens it, or name the lines";
    return fail("no_block", `No whole block begins on line ${line}: ${instead}.`, line);
  }
}

function closing(line: number, around: Lines | undefined): Outcome<BlockRange> {
  const opens = around ? `line ${around.start}` : "the line";
  const lines = around ? `lines ${around.start}-${around.end}` : "the lines";
  const message = `Line ${line} closes a block; point at ${opens} that opens it, or name ${lines}.`;
  return fail("closing_line", message, line);
}
