// Reads what the tools answered. Tools decorate their results (a header, line numbers, a
// notice about what was cut), and the decoration may change, so parsing is tolerant.

import { plainText } from "./markdown.ts";

export interface NumberedLine {
  number: number;
  text: string;
}

export interface FileText {
  lines: NumberedLine[];
  /** False where the tool said that it left something out. */
  complete: boolean;
}

const NOTICE =
  /^\s*(?:[[(…]|\.{3}).*\b(?:truncated|omitted|elided|more (?:lines?|entries)|lines? \d+|offset)\b/i;

const EMPTY = /^\((?:the )?(?:file is )?empty(?: file)?\)$/;

export function parseFileText(result: string): FileText {
  const raw = result.split("\n");
  if (raw[0]?.startsWith("¶")) raw.shift();
  if (raw.at(-1) === "") raw.pop();
  if (raw.length === 1 && EMPTY.test(raw[0]!)) raw.pop();
  // Only at the end: in the middle such a line is the file's own.
  const last = raw.findLastIndex((line) => line.trim() !== "");
  const complete = last < 0 || !NOTICE.test(raw[last]!);
  if (!complete) {
    raw.length = last;
    while (raw.at(-1)?.trim() === "") raw.pop();
  }
  const lines = numbered(raw) ?? counted(raw);
  return {
    lines: lines.map(({ number, text }) => ({ number, text: text.replace(/\r$/, "") })),
    complete: complete && !raw.some((line) => GAP.test(line)),
  };
}

/** Stands for lines that were cut out of the middle. */
const GAP = /^\[… (\d+) lines?, \d+ bytes left out …\]$/;

function counted(raw: readonly string[]): NumberedLine[] {
  const lines: NumberedLine[] = [];
  let number = 0;
  for (const text of raw) {
    const gap = GAP.exec(text);
    if (gap !== null) number += Number(gap[1]);
    else lines.push({ number: ++number, text });
  }
  return lines;
}

/** `N:` in front of every line, rising: then it is the tool's numbering, not the file's text. */
function numbered(raw: readonly string[]): NumberedLine[] | undefined {
  const lines: NumberedLine[] = [];
  let previous = 0;
  for (const line of raw) {
    const match = /^\s*(\d+):(.*)$/s.exec(line);
    const number = Number(match?.[1]);
    if (match === null || number <= previous) return undefined;
    lines.push({ number, text: match[2]! });
    previous = number;
  }
  return lines.length === 0 ? undefined : lines;
}

export interface CommandText {
  output: string;
  /** Undefined where the tool did not say. */
  exitCode: number | undefined;
}

// The last line, where a command failed.
const EXIT_LINE = /^\s*\[?(?:command )?exit(?:ed)?(?: with)?(?: code| status)?:? (\d+)\]?\.?\s*$/i;
const NO_OUTPUT = /^\s*\(no output\)\s*$/i;

export function parseCommandText(result: string): CommandText {
  const lines = plainText(result).trimEnd().split("\n");
  const exit = EXIT_LINE.exec(lines.at(-1) ?? "");
  if (exit !== null) lines.pop();
  const output = lines.join("\n").trimEnd();
  return {
    output: NO_OUTPUT.test(output) ? "" : output,
    exitCode: exit === null ? undefined : Number(exit[1]),
  };
}

export interface ListedEntry {
  name: string;
  isDirectory: boolean;
}

/** The top level of a directory listing, whether it is a flat list or a tree. */
export function parseListing(result: string): ListedEntry[] {
  const found: { entry: ListedEntry; indent: number }[] = [];
  for (const line of plainText(result).split("\n")) {
    if (line.startsWith("¶") || line.trim() === "") continue;
    const shape = /^([\s│├└─|]*(?:[-*•]\s+)?)(.*)$/.exec(line)!;
    const text = shape[2]!.trimEnd();
    // Notices, and the root itself at the head of a tree.
    if (text === "" || /^[[(…]/.test(text) || /^(?:\.\/?$|\/)/.test(text)) continue;
    const name = text.replace(/ {2,}.*$| \([^()]*\)$/, "").replace(/^\.\//, "");
    const bare = name.replace(/\/$/, "");
    if (bare === "" || bare.includes("/")) continue;
    found.push({
      entry: { name: bare, isDirectory: name.endsWith("/") },
      indent: shape[1]!.length,
    });
  }
  const least = Math.min(...found.map((each) => each.indent));
  return found.filter((each) => each.indent === least).map((each) => each.entry);
}
