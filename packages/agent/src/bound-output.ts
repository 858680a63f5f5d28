// Keeps a tool's text within what a model can use, and says what it cut. Only the tool
// table calls this, so that no tool has limits of its own to forget.

export interface OutputLimits {
  bytes: number;
  lines: number;
  /** Characters of one line; no limit where absent. */
  columns?: number;
  /** Which part to keep: logs end with what matters, files begin with it. */
  keep: "head" | "tail" | "both";
}

/**
 * About 12,000 tokens: a large file's worth, a small part of any context window. Longer
 * lines than these are generated text; their head tells as much.
 */
export const DEFAULT_LIMITS: OutputLimits = {
  bytes: 48 * 1024,
  lines: 2000,
  columns: 4000,
  keep: "both",
};

export interface BoundedText {
  text: string;
  /** Zero where nothing was cut. */
  cutLines: number;
  cutBytes: number;
  /** Lines that lost their end. */
  shortenedLines: number;
}

const encoder = new TextEncoder();

export function boundOutput(whole: string, limits: OutputLimits = DEFAULT_LIMITS): BoundedText {
  const { text, shortenedLines } = shortenLines(whole, limits.columns);
  const bytes = text.length > limits.bytes ? limits.bytes + 1 : encoder.encode(text).length;
  if (bytes <= limits.bytes && countLines(text, limits.lines) <= limits.lines) {
    return { text, cutLines: 0, cutBytes: 0, shortenedLines };
  }
  const share = limits.keep === "both" ? 0.5 : 1;
  const budget = {
    bytes: Math.floor(limits.bytes * share),
    lines: Math.floor(limits.lines * share),
  };
  const head = limits.keep === "tail" ? "" : takeHead(text, budget);
  const rest = text.slice(head.length);
  const tail = limits.keep === "head" ? "" : takeTail(rest, budget);
  const cut = rest.slice(0, rest.length - tail.length);
  const cutBytes = encoder.encode(cut).length;
  const cutLines = countLines(cut, Number.POSITIVE_INFINITY);
  const note = `[… ${cutLines} lines, ${cutBytes} bytes left out …]`;
  const parts = [head.replace(/\n$/, ""), note, tail.replace(/^\n/, "")];
  const bounded = parts.filter((part) => part !== "").join("\n");
  return { text: bounded, cutLines, cutBytes, shortenedLines };
}

function shortenLines(
  text: string,
  columns = Number.POSITIVE_INFINITY,
): { text: string; shortenedLines: number } {
  if (text.length <= columns) return { text, shortenedLines: 0 };
  const parts: string[] = [];
  let shortenedLines = 0;
  let copied = 0;
  for (let from = 0; from <= text.length;) {
    const newline = text.indexOf("\n", from);
    const to = newline < 0 ? text.length : newline;
    if (to - from > columns) {
      const cut = withoutHalfPair(text, from + columns);
      parts.push(text.slice(copied, cut), ` [… ${to - cut} characters left out]`);
      copied = to;
      shortenedLines++;
    }
    from = to + 1;
  }
  if (shortenedLines === 0) return { text, shortenedLines };
  parts.push(text.slice(copied));
  return { text: parts.join(""), shortenedLines };
}

/** The index, or the one before it where it would split a surrogate pair. */
function withoutHalfPair(text: string, index: number): number {
  const before = text.charCodeAt(index - 1);
  return before >= 0xd800 && before <= 0xdbff ? index - 1 : index;
}

function countLines(text: string, stopAfter: number): number {
  let lines = text === "" ? 0 : 1;
  for (
    let at = text.indexOf("\n");
    at >= 0 && lines <= stopAfter;
    at = text.indexOf("\n", at + 1)
  ) {
    if (at < text.length - 1) lines++;
  }
  return lines;
}

/** Whole lines where they fit; part of one only where a single line exceeds the budget. */
function takeHead(text: string, budget: { bytes: number; lines: number }): string {
  const end = fitBytes(text, budget.bytes);
  let lines = 0;
  let cut = 0;
  while (lines < budget.lines) {
    const next = text.indexOf("\n", cut);
    if (next < 0 || next + 1 > end) break;
    cut = next + 1;
    lines++;
  }
  return cut > 0 ? text.slice(0, cut) : text.slice(0, end);
}

function takeTail(text: string, budget: { bytes: number; lines: number }): string {
  const start = fitBytesFromEnd(text, budget.bytes);
  let lines = 0;
  // A line break at the very end ends the last line; it does not begin another.
  let cut = text.length - 1;
  while (lines < budget.lines) {
    const previous = text.lastIndexOf("\n", cut - 1);
    if (previous < start) break;
    cut = previous;
    lines++;
  }
  return lines > 0 ? text.slice(cut + 1) : text.slice(start);
}

/** The largest index such that `text.slice(0, index)` has at most `bytes` bytes. */
function fitBytes(text: string, bytes: number): number {
  const target = new Uint8Array(bytes);
  return encoder.encodeInto(text, target).read;
}

function fitBytesFromEnd(text: string, bytes: number): number {
  let index = text.length;
  let used = 0;
  while (index > 0) {
    const low = text.charCodeAt(index - 1);
    const isPair = low >= 0xdc00 && low <= 0xdfff && index > 1;
    const size = low < 0x80 ? 1 : low < 0x800 ? 2 : isPair ? 4 : 3;
    if (used + size > bytes) break;
    used += size;
    index -= isPair ? 2 : 1;
  }
  return index;
}
