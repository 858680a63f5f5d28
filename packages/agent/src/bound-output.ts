// Keeps a tool's text within what a model can use, and says what it cut. Only the tool
// table calls this, so that no tool has limits of its own to forget.

export interface OutputLimits {
  bytes: number;
  lines: number;
  /** Which part to keep: logs end with what matters, files begin with it. */
  keep: "head" | "tail" | "both";
}

/** About 12,000 tokens: a large file's worth, a small part of any context window. */
export const DEFAULT_LIMITS: OutputLimits = { bytes: 48 * 1024, lines: 2000, keep: "both" };

export interface BoundedText {
  text: string;
  /** Zero where nothing was cut. */
  cutLines: number;
  cutBytes: number;
}

const encoder = new TextEncoder();

export function boundOutput(text: string, limits: OutputLimits = DEFAULT_LIMITS): BoundedText {
  const bytes = text.length > limits.bytes ? limits.bytes + 1 : encoder.encode(text).length;
  if (bytes <= limits.bytes && countLines(text, limits.lines) <= limits.lines) {
    return { text, cutLines: 0, cutBytes: 0 };
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
  return { text: parts.filter((part) => part !== "").join("\n"), cutLines, cutBytes };
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
  let cut = text.endsWith("\n") ? text.length - 1 : text.length;
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
