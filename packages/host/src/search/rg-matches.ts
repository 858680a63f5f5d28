// Turns the records of `rg --json` into lines for the collectors of the files they belong
// to. Ripgrep counts bytes; what leaves here counts UTF-16 units.

import type { WholeLine } from "./line-window.ts";
import type { MatchCollector } from "./match-collector.ts";
import type { JsonRecord } from "./json-records.ts";

/** Ripgrep's form for what may be no UTF-8. */
type Data = { text: string } | { bytes: string };

interface LineRecord {
  lines: Data;
  line_number: number;
  submatches: { start: number; end: number }[];
}

type Message =
  | { type: "begin"; data: { path: Data } }
  | { type: "match" | "context"; data: LineRecord }
  | { type: "end"; data: { binary_offset: number | null } }
  | { type: "summary" };

type Range = readonly [start: number, end: number];

/** Of a text too long to be held: far more than any window shows. */
const LONG_TEXT_CHARS = 64 * 1024;

export class MatchReader {
  readonly #collectorOf: (path: string) => MatchCollector | undefined;
  #current: MatchCollector | undefined;

  constructor(collectorOf: (path: string) => MatchCollector | undefined) {
    this.#collectorOf = collectorOf;
  }

  /** False when the collector can take nothing more. */
  record(record: JsonRecord): boolean {
    if (record.kind === "long") return this.#long(record.head, record.tail);
    if (record.bytes.length === 0) return true;
    const message = JSON.parse(record.bytes.toString("utf8")) as Message;
    switch (message.type) {
      case "begin":
        this.#current = this.#collectorOf(decode(message.data.path).toString("utf8"));
        return true;
      case "match":
      case "context":
        return this.#found(message.type, wholeLines(message.type, message.data), message.data);
      case "end":
        if (this.#current) this.#current.binary = message.data.binary_offset !== null;
        return true;
      case "summary":
        return true;
    }
  }

  #found(type: "match" | "context", lines: TouchedLine[], { submatches }: Submatches): boolean {
    const collector = this.#current;
    if (!collector || lines.length === 0) return true;
    // Across lines ripgrep may add a line that no match touches.
    const last = lines.findLastIndex(({ isTouched }) => isTouched);
    const matching = type === "context" ? [] : lines.slice(0, last === -1 ? undefined : last + 1);
    if (matching.length > 0) {
      // A line with several matches is one match; what spans lines may be several at once.
      collector.match({ lines: matching, count: lines.length === 1 ? 1 : submatches.length });
    }
    for (const line of lines.slice(matching.length))
      collector.context({ ...line, kind: "context" });
    return !collector.isPast(lines.at(-1)!.line);
  }

  #long(head: Buffer, tail: Buffer): boolean {
    const start = head.toString("utf8", 0, Math.min(head.length, 2 * LONG_TEXT_CHARS));
    const opened = /^\{"type":"(match|context)".*?"lines":\{"(text|bytes)":"/s.exec(start);
    const after = tail.toString("utf8");
    const number = /^\},"line_number":(\d+)/.exec(after);
    if (opened === null || number === null) return true;
    const type = opened[1] as "match" | "context";
    const text = partialText(opened[2] as "text" | "bytes", start.slice(opened[0].length));
    const first = /"start":(\d+),"end":(\d+)/.exec(after);
    const submatches = first === null ? [] : [{ start: Number(first[1]), end: Number(first[2]) }];
    const data = { lines: { text }, line_number: Number(number[1]), submatches };
    const lines = wholeLines(type, data).map((line) => ({ ...line, truncated: true }));
    return this.#found(type, lines, data);
  }
}

interface Submatches {
  submatches: readonly unknown[];
}

/** The longest prefix that ends with a whole character of the encoding. */
function partialText(form: "text" | "bytes", encoded: string): string {
  const cut = encoded.slice(0, LONG_TEXT_CHARS);
  if (form === "bytes") {
    return Buffer.from(cut.slice(0, cut.length - (cut.length % 4)), "base64").toString("utf8");
  }
  const whole = /^(?:[^\\"]|\\u[\da-fA-F]{4}|\\[^u])*/.exec(cut)?.[0] ?? "";
  return JSON.parse(`"${whole}"`) as string;
}

function decode(data: Data): Buffer {
  return "text" in data ? Buffer.from(data.text) : Buffer.from(data.bytes, "base64");
}

/** A match of a line break alone touches a line and has no length in it. */
type TouchedLine = WholeLine & { isTouched: boolean };

function wholeLines(kind: WholeLine["kind"], data: LineRecord): TouchedLine[] {
  const bytes = decode(data.lines);
  const text = "text" in data.lines ? data.lines.text : bytes.toString("utf8");
  const { ranges, beyond } = toUnits(bytes, text, data.submatches);
  const lines: TouchedLine[] = [];
  let begin = 0;
  // Every line ends in a break, except perhaps the last of the file.
  while (begin < text.length || lines.length === 0) {
    const found = text.indexOf("\n", begin);
    const end = found === -1 ? text.length : found;
    const shown = end > begin && text[end - 1] === "\r" ? end - 1 : end;
    const touching = clip(ranges, begin, shown);
    lines.push({
      line: data.line_number + lines.length,
      kind,
      text: text.slice(begin, shown),
      ranges: touching.filter(([start, stop]) => start < stop),
      isTouched: touching.length > 0,
      column: beyond,
    });
    begin = end + 1;
  }
  return lines;
}

function clip(ranges: readonly Range[], begin: number, end: number): Range[] {
  return ranges
    .filter(([start, stop]) => start <= end && (stop > begin || start >= begin))
    .map(([start, stop]) => [Math.max(start, begin) - begin, Math.min(stop, end) - begin]);
}

/** Ascending byte positions as positions in `text`; each byte is decoded once. */
function toUnits(
  bytes: Buffer,
  text: string,
  submatches: LineRecord["submatches"],
): { ranges: Range[]; beyond?: number } {
  const first = submatches[0];
  // Only a text that was cut can end before its match.
  if (first !== undefined && first.start > bytes.length) {
    return { ranges: [], beyond: first.start + 1 };
  }
  if (bytes.length === text.length) {
    return { ranges: submatches.map(({ start, end }) => [start, Math.min(end, text.length)]) };
  }
  let atByte = 0;
  let atUnit = 0;
  const advance = (position: number): number => {
    let to = position;
    // An empty match may stand inside a character.
    while (to > atByte && (bytes[to]! & 0xc0) === 0x80) to -= 1;
    atUnit += bytes.toString("utf8", atByte, to).length;
    atByte = to;
    return Math.min(atUnit, text.length);
  };
  return { ranges: submatches.map(({ start, end }) => [advance(start), advance(end)]) };
}
