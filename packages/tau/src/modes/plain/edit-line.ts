// A line that is typed at its end, the way a terminal's own line editing has it: what a key makes of it.
// Node's line editing does nothing of this where TERM is dumb, and would insert the keys themselves.

const ERASE = new Set(["\u007f", "\b"]);
const ERASE_LINE = "\u0015";
const ERASE_WORD = "\u0017";
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Arrows and the like, the last of them perhaps still incomplete. */
export const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]?|O.?|.)?/g;

/** A key that neither writes nor erases leaves the line as it is. */
export function editLine(line: string, key: string): string {
  if (ERASE.has(key)) return line.slice(0, lastGrapheme(line));
  if (key === ERASE_LINE) return "";
  if (key === ERASE_WORD) return line.slice(0, lastWord(line));
  return isWritten(key) ? line + key : line;
}

function isWritten(key: string): boolean {
  return key === "\t" || (key >= " " && !(key >= "\u007f" && key < "\u00a0"));
}

/** No grapheme is longer: only the end of a long line is looked at. */
const MAX_GRAPHEME_CHARS = 64;

function lastGrapheme(line: string): number {
  const from = Math.max(0, line.length - MAX_GRAPHEME_CHARS);
  return from + ([...graphemes.segment(line.slice(from))].at(-1)?.index ?? 0);
}

function lastWord(line: string): number {
  let at = line.trimEnd().length;
  while (at > 0 && line[at - 1]!.trim() !== "") at -= 1;
  return at;
}
