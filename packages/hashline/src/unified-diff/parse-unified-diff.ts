// Parses unified diffs, as programs and as models write them: text around the diffs is left out
// (mails, the headers of Debian's patches, `Index:` lines), what git says about a file is read,
// file headers may be missing where the file is known, line numbers may be wrong or missing.

import { PatchError, quoteRow } from "../patch-error.ts";
import type { ContextHunk } from "../context-patch/context-hunk.ts";
import { readBareName, readDiffName, readGitNames } from "./diff-name.ts";
import { isFileHeader, readDiffHunk } from "./read-diff-hunk.ts";

/** What git says of a file beside its lines. */
export interface GitHeader {
  names: [string, string] | undefined;
  isNew?: boolean;
  isDeleted?: boolean;
  renameFrom?: string;
  renameTo?: string;
  copyFrom?: string;
  copyTo?: string;
  /** Octal, as git writes it. */
  mode?: string;
}

export interface DiffFile {
  /** As written, prefixes and all. Undefined in a diff without file headers. */
  oldName: string | undefined;
  newName: string | undefined;
  /** It is not there before, or not after. */
  isCreated: boolean;
  isDeleted: boolean;
  /** A program compared two files: other names do not mean that one becomes the other. */
  isComparison: boolean;
  git: GitHeader | undefined;
  hunks: ContextHunk[];
  patchLine: number;
}

export interface ParsedDiff {
  files: DiffFile[];
  warnings: string[];
}

const EXTENDED: readonly [RegExp, (header: GitHeader, value: string) => void][] = [
  [/^new file mode (\d+)$/, (header, mode) => Object.assign(header, { isNew: true, mode })],
  [/^deleted file mode (\d+)$/, (header) => Object.assign(header, { isDeleted: true })],
  [/^new mode (\d+)$/, (header, mode) => Object.assign(header, { mode })],
  [/^rename from (.+)$/, (header, name) => (header.renameFrom = readBareName(name))],
  [/^rename to (.+)$/, (header, name) => (header.renameTo = readBareName(name))],
  [/^copy from (.+)$/, (header, name) => (header.copyFrom = readBareName(name))],
  [/^copy to (.+)$/, (header, name) => (header.copyTo = readBareName(name))],
  [/^(?:old mode|similarity index|dissimilarity index|index) (.+)$/, () => undefined],
];
const BINARY = /^(?:GIT binary patch|Binary files .* differ|Files .* differ)$/;

/** Throws a `PatchError` and nothing else. */
export function parseUnifiedDiff(input: string): ParsedDiff {
  const rows = input.split("\n");
  if (rows.at(-1) === "") rows.pop();
  return new DiffParser(rows).parse();
}

class DiffParser {
  #rows: string[];
  readonly #files: DiffFile[] = [];
  readonly #warnings = new Set<string>();
  #file: DiffFile | undefined;
  /** `diff --git` was read, and no file header since. */
  #git: { header: GitHeader; patchLine: number } | undefined;
  /** Text outside of all diffs: meaningless if diffs follow, and all there is if not. */
  #stray: { row: string; patchLine: number } | undefined;

  constructor(rows: string[]) {
    this.#rows = rows;
  }

  parse(): ParsedDiff {
    for (let at = 0; at < this.#rows.length;) at = this.#readAt(at);
    this.#endFile();
    this.#endGit();
    if (this.#files.length === 0) {
      if (this.#stray) throw strayRow(this.#stray.row, this.#stray.patchLine);
      throw new PatchError("empty_patch", "The diff has no hunk. Begin one with `@@`.");
    }
    return { files: this.#files, warnings: [...this.#warnings] };
  }

  /** Returns the index of the next row to read. */
  #readAt(at: number): number {
    const row = this.#rows[at]!.replace(/\r$/, "");
    if (isFileHeader(this.#rows, at)) return this.#startFile(at);
    if (row.startsWith("@@")) return this.#readHunk(at);
    const isOpen = this.#file !== undefined && this.#file.hunks.length === 0;
    const git = /^diff --git (.+)$/.exec(row);
    if (git) {
      this.#endFile();
      this.#endGit();
      this.#git = { header: { names: readGitNames(git[1]!) }, patchLine: at + 1 };
    } else if (this.#git && this.#readExtended(this.#git.header, row)) {
      // Kept in the header.
    } else if (BINARY.test(row)) throw binary(at + 1);
    else if (this.#isContextDiff(at)) throw contextDiff(at + 1);
    else if (row.trim() !== "" && !/^(?:```|diff |Index: |index |={10,}$)/.test(row)) {
      if (isOpen) throw strayRow(row, at + 1);
      this.#stray = { row, patchLine: at + 1 };
    }
    return at + 1;
  }

  #readExtended(header: GitHeader, row: string): boolean {
    for (const [pattern, take] of EXTENDED) {
      const match = pattern.exec(row);
      if (!match) continue;
      take(header, match[1] ?? "");
      return true;
    }
    return false;
  }

  #startFile(at: number): number {
    this.#endFile();
    const [first, second] = [this.#rows[at]!, this.#rows[at + 1]!];
    // A diff that went through a mailer has line ends of its own; its content has not.
    if (first.endsWith("\r") && second.endsWith("\r")) this.#unreturn(at);
    const old = readDiffName(this.#rows[at]!.slice(4));
    const made = readDiffName(this.#rows[at + 1]!.slice(4));
    const git = this.#git;
    this.#git = undefined;
    this.#stray = undefined;
    this.#file = {
      oldName: old.name === "/dev/null" ? undefined : old.name,
      newName: made.name === "/dev/null" ? undefined : made.name,
      isCreated: old.isNowhere,
      isDeleted: made.isNowhere,
      isComparison: old.hasTime || made.hasTime,
      git: git?.header,
      hunks: [],
      patchLine: at + 1,
    };
    return at + 2;
  }

  /** Up to the next file, whose headers speak for themselves. */
  #unreturn(from: number): void {
    for (let at = from; at < this.#rows.length; at++) {
      if (at > from && isFileHeader(this.#rows, at) && !this.#rows[at]!.endsWith("\r")) return;
      this.#rows[at] = this.#rows[at]!.replace(/\r$/, "");
    }
  }

  #readHunk(at: number): number {
    if (this.#stray) throw strayRow(this.#stray.row, this.#stray.patchLine);
    this.#file ??= {
      oldName: undefined,
      newName: undefined,
      isCreated: false,
      isDeleted: false,
      isComparison: false,
      git: undefined,
      hunks: [],
      patchLine: at + 1,
    };
    const { hunk, end } = readDiffHunk(this.#rows, at, (text) => this.#warnings.add(text));
    this.#file.hunks.push(hunk);
    return end;
  }

  #endFile(): void {
    const file = this.#file;
    this.#file = undefined;
    if (!file) return;
    const isMeant = file.hunks.length > 0 || file.isCreated || file.isDeleted;
    if (!isMeant && !saysMore(file.git)) {
      throw new PatchError("empty_section", "this file has no hunk. Write one, or leave it out.", {
        patchLine: file.patchLine,
      });
    }
    this.#files.push(file);
  }

  /** A file that has no lines to change: it moves, is empty, or only its mode changes. */
  #endGit(): void {
    const git = this.#git;
    this.#git = undefined;
    if (!git || !saysMore(git.header)) return;
    const { header, patchLine } = git;
    this.#files.push({
      oldName: header.names?.[0],
      newName: header.names?.[1],
      isCreated: header.isNew === true,
      isDeleted: header.isDeleted === true,
      isComparison: false,
      git: header,
      hunks: [],
      patchLine,
    });
  }

  #isContextDiff(at: number): boolean {
    const [one = "", two = "", three = ""] = this.#rows.slice(at, at + 3);
    return /^\*\*\* \S/.test(one) && /^--- \S/.test(two) && /^\*{15}/.test(three);
  }
}

function saysMore(header: GitHeader | undefined): boolean {
  if (!header) return false;
  const { isNew, isDeleted, renameTo, copyTo, mode } = header;
  return [isNew, isDeleted, renameTo, copyTo, mode].some((one) => one !== undefined);
}

function strayRow(row: string, patchLine: number): PatchError {
  return new PatchError(
    "stray_row",
    `this row belongs to no hunk. Begin a hunk with \`@@\`; got ${quoteRow(row)}.`,
    { patchLine },
  );
}

function binary(patchLine: number): PatchError {
  return new PatchError(
    "binary_patch",
    "this part is about a binary file, which cannot be changed here. Leave it out, or apply it with `git apply`.",
    { patchLine },
  );
}

function contextDiff(patchLine: number): PatchError {
  return new PatchError(
    "foreign_marker",
    "this is a context diff. Make a unified one (`diff -u`), or apply it with `patch`.",
    { patchLine },
  );
}
