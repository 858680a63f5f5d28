// Parses the apply_patch format: `*** Begin Patch`, then files to add, delete, update or
// move, with hunks under `@@` headers that name enclosing lines.

import { PatchError, quoteRow } from "../patch-error.ts";
import {
  type ContextHunk,
  endHunk,
  readContextRow,
  startHunk,
  strayRow,
} from "../context-patch/context-hunk.ts";

export type EnvelopeFile =
  | { kind: "add"; path: string; lines: string[]; patchLine: number }
  | { kind: "delete"; path: string; patchLine: number }
  | { kind: "update"; path: string; moveTo?: string; hunks: ContextHunk[]; patchLine: number };

export interface Envelope {
  files: EnvelopeFile[];
  warnings: string[];
}

const BEGIN_OR_END = /^\s*\*{3}\s*(?:Begin|End) Patch\s*$/i;
const FILE = /^\s*\*{3}\s*(Add|Delete|Update) File:\s*(.*?)\s*$/i;
const MOVE = /^\s*\*{3}\s*Move to:\s*(.*?)\s*$/i;
const END_OF_FILE = /^\s*\*{3}\s*End of File\s*$/i;
const SCOPE = /^@@(?:\s(.*?))?(?:\s*@@)?\s*$/;
/** What a shell call of the tool leaves around a patch. */
const SHELL = /^\s*(?:```.*|apply_patch\b.*|EOF|PATCH)\s*$/;
const UNIFIED_RANGES = /^-\d+(?:,\d+)? \+\d+(?:,\d+)?\s*(?:@@)?\s*(.*)$/;

/** Throws a `PatchError` and nothing else. */
export function parseEnvelope(input: string): Envelope {
  const parser = new EnvelopeParser();
  const rows = input.split("\n");
  if (rows.at(-1) === "") rows.pop();
  for (const [at, row] of rows.entries()) {
    parser.read(row.endsWith("\r") ? row.slice(0, -1) : row, at + 1);
  }
  return parser.finish();
}

class EnvelopeParser {
  readonly #files: EnvelopeFile[] = [];
  readonly #warnings = new Set<string>();
  #file: EnvelopeFile | undefined;
  #hunk: ContextHunk | undefined;
  #rawRows: string[] = [];

  read(row: string, patchLine: number): void {
    if (BEGIN_OR_END.test(row)) return this.#endFile();
    const file = FILE.exec(row);
    if (file) return this.#startFile(file[1]!.toLowerCase(), file[2]!, patchLine);
    if (!this.#file) return refuseOutside(row, patchLine);
    if (this.#file.kind === "add") return this.#addLine(this.#file, row, patchLine);
    if (this.#file.kind === "delete") {
      if (row.trim() === "") return;
      throw strayRow(row, patchLine, "a file that is deleted takes no rows");
    }
    this.#readUpdate(this.#file, row, patchLine);
  }

  finish(): Envelope {
    this.#endFile();
    if (this.#files.length === 0) {
      throw new PatchError(
        "empty_patch",
        "The patch names no file. Write `*** Update File: PATH` and hunks below it.",
      );
    }
    return { files: this.#files, warnings: [...this.#warnings] };
  }

  #startFile(verb: string, path: string, patchLine: number): void {
    this.#endFile();
    if (path === "") {
      throw new PatchError("missing_header", "the header names no file. Write its path.", {
        patchLine,
      });
    }
    this.#file =
      verb === "add"
        ? { kind: "add", path, lines: [], patchLine }
        : verb === "delete"
          ? { kind: "delete", path, patchLine }
          : { kind: "update", path, hunks: [], patchLine };
  }

  #addLine(file: EnvelopeFile & { kind: "add" }, row: string, patchLine: number): void {
    if (row.startsWith("+")) file.lines.push(row.slice(1));
    else if (row.trim() !== "") {
      throw strayRow(row, patchLine, "every row of a new file begins with `+`");
    }
  }

  #readUpdate(file: EnvelopeFile & { kind: "update" }, row: string, patchLine: number): void {
    const move = MOVE.exec(row);
    if (move) {
      file.moveTo = move[1]!;
      return;
    }
    if (END_OF_FILE.test(row)) {
      if (this.#hunk) this.#hunk.isAtEnd = true;
      return;
    }
    if (/^\s*\*{3}\s/.test(row)) {
      throw new PatchError(
        "foreign_marker",
        `${quoteRow(row.trim())} is not known. Use \`*** Update File:\`, \`*** Add File:\`, \`*** Delete File:\`, \`*** Move to:\` or \`*** End of File\`.`,
        { patchLine },
      );
    }
    const scope = SCOPE.exec(row);
    if (scope) return this.#startScope(scope[1] ?? "", patchLine);
    if (!this.#hunk && row.trim() === "") return;
    this.#hunk ??= startHunk(patchLine);
    this.#rawRows.push(row);
    this.#hunk.rows.push(readContextRow(row, (text) => this.#warnings.add(text)));
  }

  #startScope(written: string, patchLine: number): void {
    // Several headers in a row narrow down one place.
    if (this.#hunk && this.#rawRows.length > 0) this.#endHunk();
    this.#hunk ??= startHunk(patchLine);
    // Line numbers of a diff are not part of this format; what follows them may be a scope.
    const ranges = UNIFIED_RANGES.exec(written);
    const name = ranges ? "" : written;
    if (name.trim() !== "") this.#hunk.scopes.push(name);
  }

  #endHunk(): void {
    const hunk = this.#hunk;
    this.#hunk = undefined;
    if (hunk && this.#file?.kind === "update") this.#file.hunks.push(endHunk(hunk, this.#rawRows));
    this.#rawRows = [];
  }

  #endFile(): void {
    this.#endHunk();
    const file = this.#file;
    this.#file = undefined;
    if (!file) return;
    if (file.kind === "update" && file.hunks.length === 0 && file.moveTo === undefined) {
      throw new PatchError(
        "empty_section",
        `nothing is to change in ${file.path}. Write hunks below its header, or leave it out.`,
        { patchLine: file.patchLine, path: file.path },
      );
    }
    this.#files.push(file);
  }
}

function refuseOutside(row: string, patchLine: number): void {
  if (row.trim() === "" || SHELL.test(row)) return;
  throw new PatchError(
    "missing_header",
    `a patch begins with \`*** Begin Patch\` and \`*** Update File: PATH\`; got ${quoteRow(row)}.`,
    { patchLine },
  );
}
