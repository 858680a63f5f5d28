// Takes off what read and search print around lines when a model pastes a listing back as
// content. Content that only resembles a listing stays as it is: the numbers must run on
// from row to row without a gap over the whole content, or a file header must stand above.

import { parseFileHeader } from "./file-header.ts";

export interface StrippedListing {
  text: string;
  /** False if the content was no pasted listing; then `text` is the content itself. */
  isStripped: boolean;
}

const NUMBERED = /^[* ]?(\d{1,9}):(.*)$/s;
/** Without a header above, fewer rows that count up may well be somebody's own list. */
const MIN_ROWS_WITHOUT_HEADER = 3;

export interface StripOptions {
  /** Where the content goes: a header of that very file above plain lines is pasted too. */
  path?: string;
}

export function stripListing(content: string, { path }: StripOptions = {}): StrippedListing {
  const rows = content.split("\n");
  const first = rows.findIndex((row) => row.trim() !== "");
  const header = first === -1 ? undefined : parseFileHeader(rows[first]!);
  const hasHeader = header?.tag !== undefined && header.path !== "";
  const listing = hasHeader ? rows.slice(first + 1) : rows;
  const isEnded = listing.length > 1 && listing.at(-1) === "";
  const numbered = (isEnded ? listing.slice(0, -1) : listing).map((row) => NUMBERED.exec(row));
  if (!isListing(numbered, { hasHeader })) {
    return hasHeader && header.path === path
      ? { text: listing.join("\n"), isStripped: true }
      : { text: content, isStripped: false };
  }
  const lines = numbered.map((match) => match![2]!);
  return { text: lines.join("\n") + (isEnded ? "\n" : ""), isStripped: true };
}

function isListing(
  numbered: readonly (RegExpExecArray | null)[],
  { hasHeader }: { hasHeader: boolean },
): boolean {
  const first = Number(numbered[0]?.[1] ?? Number.NaN);
  if (numbered.length < (hasHeader ? 1 : MIN_ROWS_WITHOUT_HEADER) || Number.isNaN(first)) {
    return false;
  }
  if (!numbered.every((match, at) => match !== null && Number(match[1]) === first + at)) {
    return false;
  }
  return hasHeader || first === 1;
}
