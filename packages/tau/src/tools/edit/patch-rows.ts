// A patch in any of the edit languages, as its own rows: what it adds and takes away in the
// colours of a diff, the rest muted. It may end anywhere.

import { parseFileHeader } from "@tau/hashline/file-header";
import type { Span } from "@tau/tui/components/spans";
import { breakSpans } from "@tau/tui/components/spans";
import type { CallLook } from "../../feature-api/tool-view.ts";
import { firstLines, lastLines, rowText, wholeText } from "../render/clip-text.ts";
import { fitRow, MAX_FULL_LINES, moreRow, widthOf } from "../render/output-rows.ts";

/** While it grows: enough to follow it. */
const GROWING_ROWS = 10;
/** Lines of a patch that are looked through for names. */
const MAX_SCANNED_LINES = 2000;

const ENVELOPE = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/;
const UNIFIED = /^(?:\+\+\+|---) (?:[ab]\/)?(.+)$/;

function nameIn(row: string): string | undefined {
  const header = parseFileHeader(row);
  if (header) return header.path;
  const name = ENVELOPE.exec(row)?.[1] ?? UNIFIED.exec(row)?.[1];
  return name === undefined || name === "/dev/null" ? undefined : name.trim();
}

/** Each once, as the patch names them. */
export function namedFiles(input: string): string[] {
  const { lines } = firstLines(input, MAX_SCANNED_LINES);
  const names = lines.flatMap((line) => nameIn(line.slice(0, 4096)) ?? []);
  return [...new Set(names)].filter((name) => name !== "");
}

export function patchRows(input: string, look: CallLook): string[] {
  if (look.detail === "full") {
    const { lines, left } = firstLines(input, MAX_FULL_LINES);
    const rows = lines.flatMap((line) => breakSpans([rowOf(wholeText(line), look)], widthOf(look)));
    return left === 0 ? rows : [...rows, moreRow(left, look)];
  }
  const { lines, left } = lastLines(input, GROWING_ROWS);
  const isOne = namedFiles(input).length === 1;
  const rows = lines
    .filter((line) => !isFrame(line, isOne))
    .map((line) => fitRow([rowOf(rowText(line, look.columns), look)], look));
  return left === 0 ? rows : [moreRow(left, look), ...rows];
}

/** What says nothing that the title does not say: the name of the only file, and envelopes. */
function isFrame(line: string, isOnlyFile: boolean): boolean {
  if (/^\*\*\* (?:Begin|End) Patch/.test(line)) return true;
  return isOnlyFile && !/^[+-](?![+-]{2} )/.test(line) && nameIn(line.slice(0, 4096)) !== undefined;
}

function rowOf(text: string, { theme }: CallLook): Span {
  const isHead = text.startsWith("+++ ") || text.startsWith("--- ");
  if (text.startsWith("+") && !isHead) return { text, paint: theme.style("toolDiffAdded") };
  if (text.startsWith("-") && !isHead) return { text, paint: theme.style("toolDiffRemoved") };
  return { text, paint: theme.style(text.startsWith(" ") ? "toolDiffContext" : "muted") };
}
