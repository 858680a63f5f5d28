// Reads a patch row by row into sections. It throws at the first row that cannot be taken
// in one meaning.

import { parseFileHeader } from "./file-header.ts";
import { hunkHeader, isFileHunk, type PatchSection } from "./hunk.ts";
import { readHunkHeader, VERBS_HINT } from "./hunk-header.ts";
import { OpenHunk } from "./open-hunk.ts";
import { PatchError, quoteRow } from "./patch-error.ts";

const ENVELOPE = /^\s*\*{3}\s*(?:Begin|End) Patch\s*(?:\*{3})?\s*$/i;
const ABORT = /^\s*\*{3}\s*Abort\s*(?:\*{3})?\s*$/i;
const FOREIGN_MARKER =
  /^\s*\*{3}\s*(?:(?:Update|Add|Delete|Move|Rename|Create)(?: File)?(?: to)?\s*:|End of File)/i;
const CONFLICT_MARKER = /^(?:<{7}|={7}$|>{7})/;
const DIFF_HEADER = /^\s*@@/;
const GIT_HEADER = /^(?:diff --git |index [0-9a-f]+\.\.[0-9a-f]+)/;
const NUMBERED_DIFF_HEADER = /^\s*@@\s*-\d/;

/** A row that cancels everything, wherever it stands. */
export function isAbortRow(row: string): boolean {
  return ABORT.test(row);
}

export class PatchReader {
  readonly sections: PatchSection[] = [];
  readonly #warnings = new Set<string>();
  #section: PatchSection | undefined;
  #open: OpenHunk | undefined;

  get warnings(): string[] {
    return [...this.#warnings];
  }

  warn(text: string): void {
    this.#warnings.add(text);
  }

  read(written: string, patchLine: number): void {
    const row = written.endsWith("\r") ? written.slice(0, -1) : written;
    if (row.startsWith("+")) return this.#body(row.slice(1), patchLine, { marked: true });
    if (row.trim() === "") return this.#empty(row, patchLine);
    if (ENVELOPE.test(row)) return this.close();
    const header = parseFileHeader(row);
    if (header) return this.#startSection(header.path, header.tag, patchLine);
    this.#refuseForeign(row, patchLine);
    if (!this.#section) throw missingHeader(row, patchLine);
    const reading = readHunkHeader(row, patchLine);
    if (reading.kind === "invalid") {
      throw new PatchError(reading.code, reading.message, { patchLine });
    }
    if (reading.kind === "none") return this.#body(row, patchLine, { marked: false });
    const { hunk } = reading;
    const mayBeContent = this.#open?.takesBody && (this.#open.isUnmarked || isFileHunk(hunk));
    if (reading.spelling === "loose" && mayBeContent) {
      throw new PatchError(
        "ambiguous_row",
        `here this may be content or a hunk. Begin content rows with \`+\`, or write the hunk first, as \`${hunkHeader(hunk)}\`.`,
        { patchLine },
      );
    }
    this.close();
    if (isFileHunk(hunk)) this.#section.fileHunks.push(hunk);
    else this.#open = new OpenHunk(hunk);
  }

  /** Ends the hunk that is being read, if there is one. */
  close(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open) this.#section!.hunks.push(open.close((text) => this.warn(text)));
  }

  #startSection(path: string, tag: string | undefined, patchLine: number): void {
    this.close();
    this.#section = undefined;
    if (path === "") {
      throw new PatchError(
        "missing_header",
        "the header names no file. Write `¶PATH#TAG` as read or search printed it.",
        { patchLine },
      );
    }
    if (tag === undefined) {
      throw new PatchError(
        "missing_tag",
        `the header has no four-character tag. Write \`¶PATH#TAG\` as read or search printed it; got ${quoteRow(`¶${path}`)}.`,
        { patchLine, path },
      );
    }
    this.#section = { path, tag, patchLine, hunks: [], fileHunks: [] };
    this.sections.push(this.#section);
  }

  #empty(row: string, patchLine: number): void {
    if (this.#open?.takesBody) this.#open.add({ text: row, marked: false, patchLine });
  }

  #body(text: string, patchLine: number, { marked }: { marked: boolean }): void {
    if (!this.#section) throw missingHeader(marked ? `+${text}` : text, patchLine);
    if (!this.#open) {
      throw new PatchError(
        "stray_row",
        `this row belongs to no hunk. ${VERBS_HINT} above the rows; got ${quoteRow(text)}.`,
        { patchLine },
      );
    }
    if (!this.#open.takesBody) throw bodyUnderDelete(this.#open, patchLine);
    this.#open.add({ text, marked, patchLine });
  }

  #refuseForeign(row: string, patchLine: number): void {
    if (FOREIGN_MARKER.test(row)) {
      throw new PatchError(
        "foreign_marker",
        `${quoteRow(row.trim())} belongs to another patch format. A section starts with \`¶PATH#TAG\`. ${VERBS_HINT} below it, \`delete file\` or \`move to PATH\`; new files are made with the write tool.`,
        { patchLine },
      );
    }
    if (CONFLICT_MARKER.test(row)) {
      throw new PatchError(
        "foreign_marker",
        "search and replace markers are not part of this language. Name the lines with `replace N..M:` and give only their new content; if it is content, begin the row with `+`.",
        { patchLine },
      );
    }
    if (GIT_HEADER.test(row) || DIFF_HEADER.test(row)) {
      const instead = NUMBERED_DIFF_HEADER.test(row)
        ? "Diff headers are not part of this language"
        : "Headers in `@@` are not part of this language";
      throw new PatchError("diff_header", `${instead}. ${VERBS_HINT}.`, { patchLine });
    }
    if (row.startsWith("-")) {
      throw new PatchError(
        "minus_row",
        "`-` rows are not part of this language: the header already names the lines that go. For a line that begins with `-`, write `+-…`.",
        { patchLine },
      );
    }
  }
}

function bodyUnderDelete({ hunk }: OpenHunk, patchLine: number): PatchError {
  const header = hunkHeader(hunk);
  const instead = `${header.replace("delete", "replace")}:`;
  return new PatchError(
    "delete_with_body",
    `\`${header}\` takes no rows. Leave them out, or use \`${instead}\` to put them there.`,
    { patchLine },
  );
}

function missingHeader(row: string, patchLine: number): PatchError {
  return new PatchError(
    "missing_header",
    `a patch begins with \`¶PATH#TAG\`, as read or search printed it; got ${quoteRow(row)}.`,
    { patchLine },
  );
}
