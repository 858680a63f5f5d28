// Parses unified diffs as models write them: file headers may be missing where the file is
// known, line numbers may be wrong or missing, counts are not believed.

import { PatchError, quoteRow } from "../patch-error.ts";
import {
  type ContextHunk,
  endHunk,
  readContextRow,
  startHunk,
} from "../context-patch/context-hunk.ts";

export interface DiffFile {
  /** Undefined in a diff without file headers, and null for `/dev/null`. */
  oldPath: string | null | undefined;
  newPath: string | null | undefined;
  hunks: ContextHunk[];
  patchLine: number;
}

export interface ParsedDiff {
  files: DiffFile[];
  warnings: string[];
}

const OLD_FILE = /^--- (?:"?)(.*?)(?:"?)(?:\t.*)?$/;
const NEW_FILE = /^\+\+\+ (?:"?)(.*?)(?:"?)(?:\t.*)?$/;
const HUNK = /^@@(?:\s*-(\d{1,9})(?:,\d+)?\s+\+\d+(?:,\d+)?\s*(?:@@.*)?|.*)$/;
const PREAMBLE =
  /^(?:diff |index |old mode |new mode |new file mode |deleted file mode |similarity index |rename (?:from|to) |```)/;
const NO_NEWLINE = /^\\ No newline/;

/** Throws a `PatchError` and nothing else. */
export function parseUnifiedDiff(input: string): ParsedDiff {
  const parser = new DiffParser();
  const rows = input.split("\n").map((row) => (row.endsWith("\r") ? row.slice(0, -1) : row));
  if (rows.at(-1) === "") rows.pop();
  for (let at = 0; at < rows.length; at++) {
    const old = OLD_FILE.exec(rows[at]!);
    const made = NEW_FILE.exec(rows[at + 1] ?? "");
    // A removed line may begin with `--`; only the pair of headers is sure to be one.
    if (old && made) {
      parser.startFile(old[1]!, made[1]!, at + 1);
      at++;
    } else parser.read(rows[at]!, at + 1);
  }
  return parser.finish();
}

class DiffParser {
  readonly #files: DiffFile[] = [];
  readonly #warnings = new Set<string>();
  #hunk: ContextHunk | undefined;
  #rawRows: string[] = [];

  startFile(oldPath: string, newPath: string, patchLine: number): void {
    this.#endHunk();
    const read = (path: string, side: RegExp) =>
      path === "/dev/null" ? null : path.replace(side, "");
    this.#files.push({
      oldPath: read(oldPath, /^a\//),
      newPath: read(newPath, /^b\//),
      hunks: [],
      patchLine,
    });
  }

  read(row: string, patchLine: number): void {
    const hunk = HUNK.exec(row);
    if (hunk) return this.#startHunk(hunk[1], patchLine);
    if (NO_NEWLINE.test(row)) return;
    if (PREAMBLE.test(row) && !this.#isInside(row)) return this.#endHunk();
    if (!this.#hunk) {
      if (row.trim() === "") return;
      throw new PatchError(
        "stray_row",
        `this row belongs to no hunk. Begin a hunk with \`@@\`; got ${quoteRow(row)}.`,
        { patchLine },
      );
    }
    this.#rawRows.push(row);
    this.#hunk.rows.push(readContextRow(row, (text) => this.#warnings.add(text)));
  }

  finish(): ParsedDiff {
    this.#endHunk();
    for (const file of this.#files) {
      if (file.hunks.length > 0 || file.newPath === null || file.oldPath === null) continue;
      throw new PatchError("empty_section", "this file has no hunk. Write one, or leave it out.", {
        patchLine: file.patchLine,
      });
    }
    if (this.#files.length === 0) {
      throw new PatchError("empty_patch", "The diff has no hunk. Begin one with `@@`.");
    }
    return { files: this.#files, warnings: [...this.#warnings] };
  }

  /** A fence may be content of a hunk, if it is not the last row; then it has its mark. */
  #isInside(row: string): boolean {
    return /^[ +-]/.test(row);
  }

  #startHunk(line: string | undefined, patchLine: number): void {
    this.#endHunk();
    if (this.#files.length === 0) {
      this.#files.push({ oldPath: undefined, newPath: undefined, hunks: [], patchLine });
    }
    this.#hunk = startHunk(patchLine);
    if (line !== undefined) this.#hunk.hintLine = Number(line);
  }

  #endHunk(): void {
    const hunk = this.#hunk;
    this.#hunk = undefined;
    if (hunk) this.#files.at(-1)!.hunks.push(endHunk(hunk, this.#rawRows));
    this.#rawRows = [];
  }
}
