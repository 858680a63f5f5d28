// Blocks of a conversation as a terminal that can only print shows them: the person's words after the
// prompt's sign, the answer as it is, one line for everything else.

import { textOf } from "@tau/ai/message";
import { fitLine, sanitize } from "@tau/tui/width";
import {
  isEnded,
  type Block,
  type CallBlock,
  type NoteTone,
} from "../../session/projection/block.ts";
import { summaryWords } from "../../session/projection/summary-words.ts";
import type { Style } from "../../base/style.ts";
import { toolHeadline } from "../tool-headline.ts";

const MARK_COLUMNS = 4;
/** Of what a failed call said. */
const MAX_FAILURE_LINES = 4;

export interface Printing {
  style: Style;
  columns: number;
}

export function callLine(call: CallBlock, { style, columns }: Printing): string {
  const { phase, result } = call;
  const isBad = phase === "stopped" || result?.isError === true;
  const mark = isBad ? style.error("✗") : style.success("✓");
  const head = `  ${mark} ${style.dim(toolHeadline(call, columns - MARK_COLUMNS))}`;
  return isBad ? [head, ...failureLines(call, { style, columns })].join("\n") : head;
}

/** Why it failed is said at the end: the exit code, the last of the error's own words. */
function failureLines({ result }: CallBlock, { style, columns }: Printing): string[] {
  const text = sanitize(textOf({ role: "toolResult", content: result?.content ?? [] })).trim();
  if (text === "") return [];
  const lines = text.split("\n");
  const shown = lines
    .slice(-MAX_FAILURE_LINES)
    .map((line) => fitLine(line, columns - MARK_COLUMNS));
  const more = lines.length - shown.length;
  const note = more > 0 ? [`… ${more} earlier ${more === 1 ? "line" : "lines"}`] : [];
  return [...note, ...shown].map((line) => `    ${style.dim(line)}`);
}

export function noteLine(text: string, tone: NoteTone, style: Style): string {
  const clean = sanitize(text);
  return tone === "error" ? style.error(clean) : style.dim(clean);
}

/** A block that is over. Undefined for what is not shown here. */
export function printBlock(block: Block, printing: Printing): string | undefined {
  const { style } = printing;
  switch (block.kind) {
    case "user":
      return `${style.accent("›")} ${sanitize(block.text).trim()}`;
    case "command":
      return `${style.accent("›")} ${sanitize(block.line)}`;
    case "answer":
      return sanitize(block.text).trim() || undefined;
    case "call":
      return isEnded(block) ? callLine(block, printing) : undefined;
    case "own_run":
      return style.dim(`${block.sign}${toolHeadline(block, printing.columns - 1)}`);
    case "note":
      return noteLine(block.text, block.tone, style);
    case "summary":
      return noteLine(summaryWords(block), "plain", style);
    case "thinking":
      return undefined;
  }
}
