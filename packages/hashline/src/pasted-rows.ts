// Body rows that are not what they seem: lines copied from a listing with their numbers,
// and unchanged lines given as context as diffs do. Taken as content both would spoil the
// file, so the tagged text is asked for proof. Genuine content stays as it is.

import { type Hunk, hunkHeader } from "./hunk.ts";
import type { LineIndex } from "./line-index.ts";
import { PatchError } from "./patch-error.ts";

export const PASTED_NUMBERS_WARNING =
  "The line numbers in front of body rows were left out. A body row is `+` and the text alone.";

const NUMBERED = /^[*> ]?(\d{1,9}):(.*)$/s;
/** How far around its place a hunk's context rows would come from, in lines. */
const REACH = 8;

/** The hunk as it was meant, or a refusal. */
export function unpasteHunk(hunk: Hunk, index: LineIndex, warn: (text: string) => void): Hunk {
  if (!("body" in hunk)) return hunk;
  refuseDiffContext(hunk, index);
  const numbered = hunk.body.map((row) => NUMBERED.exec(row));
  if (!numbered.some((match) => match !== null)) return hunk;
  if (continuesPlace(hunk, numbered) && !isNumberedText(hunk, index)) {
    warn(PASTED_NUMBERS_WARNING);
    return { ...hunk, body: numbered.map((match) => match![2]!) };
  }
  const pasted = numbered.find((match) => match !== null && quotesLine(match, index));
  if (pasted) {
    throw new PatchError(
      "pasted_numbers",
      `the rows below \`${hunkHeader(hunk)}\` carry line numbers of a listing (\`${pasted[1]}:\`). Write \`+\` and the text alone.`,
      { patchLine: hunk.patchLine },
    );
  }
  return hunk;
}

type NumberedRow = RegExpExecArray | null;

/** Every row is numbered, in sequence, from the very line that the hunk names. */
function continuesPlace(hunk: Hunk, numbered: readonly NumberedRow[]): boolean {
  const first = Number(numbered[0]?.[1] ?? -1);
  return (
    placesOf(hunk).includes(first) &&
    numbered.every((match, at) => match !== null && Number(match[1]) === first + at)
  );
}

function placesOf(hunk: Hunk): number[] {
  if (hunk.kind === "replace") return [hunk.start];
  if (hunk.kind === "insert_after") return [hunk.line, hunk.line + 1];
  if ("line" in hunk) return [hunk.line];
  return [];
}

/** A file of numbered lines: there a number is content. */
function isNumberedText(hunk: Hunk, index: LineIndex): boolean {
  const [place = 1] = placesOf(hunk);
  const last = Math.min(index.count, place + REACH);
  for (let line = Math.max(1, place - REACH); line <= last; line++) {
    if (/^\s*\d+:/.test(index.line(line))) return true;
  }
  return false;
}

function quotesLine(match: RegExpExecArray, index: LineIndex): boolean {
  const line = Number(match[1]);
  const text = match[2]!;
  return text.trim() !== "" && line >= 1 && line <= index.count && index.line(line) === text;
}

/** In a diff a row that begins with a space repeats a line of the file. */
function refuseDiffContext(hunk: Extract<Hunk, { body: string[] }>, index: LineIndex): void {
  const doubtful = (hunk.unmarkedRows ?? []).filter((at) => hunk.body[at]!.startsWith(" "));
  if (doubtful.length === 0) return;
  const place = placesOf(hunk)[0] ?? (hunk.kind === "insert_head" ? 1 : index.count);
  const last = Math.min(index.count, place + hunk.body.length + REACH);
  const near = new Set<string>();
  for (let line = Math.max(1, place - hunk.body.length - REACH); line <= last; line++) {
    near.add(index.line(line));
  }
  const repeats = doubtful.find((at) => {
    const row = hunk.body[at]!;
    return row.trim() !== "" && near.has(row.slice(1)) && !near.has(row);
  });
  if (repeats === undefined) return;
  throw new PatchError(
    "ambiguous_row",
    `row ${repeats + 1} below \`${hunkHeader(hunk)}\` repeats a line of the file, as context in a diff does. Leave context out: give only the new content, each row beginning with \`+\`.`,
    { patchLine: hunk.patchLine },
  );
}
