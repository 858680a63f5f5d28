// Where an earlier session stands, when it is opened: the last of what was said and done, and how to see
// the rest.

import type { Block } from "../../session/projection/block.ts";
import { COMMAND } from "../../brand.ts";
import { endOfAnswer } from "../interactive/answer-end.ts";
import { printBlock, type Printing } from "./print-block.ts";

/** About two screens: enough to know where one was. */
const SHOWN_LINES = 48;
/** An answer longer than this is shown from its end. */
const MAX_ANSWER_CHARS = 4_000;

export function printEarlier(
  blocks: readonly Block[],
  { id, ...printing }: Printing & { id: string },
): string {
  const shown: string[] = [];
  let lines = 0;
  let left = blocks.length;
  // Whole blocks, and one at least.
  for (; left > 0; left--) {
    const block = blocks[left - 1]!;
    const text = printShortened(block, printing);
    if (text === undefined) continue;
    lines += text.split("\n").length;
    if (lines > SHOWN_LINES && shown.length > 0) break;
    // As when it was typed: after an empty line.
    if (block.kind === "user" || block.kind === "command") shown.unshift(`\n${text}\n`);
    else shown.unshift(`${text}\n`);
  }
  if (shown.length === 0) return "";
  const earlier = blocks.slice(0, left).filter(({ kind }) => kind !== "thinking").length;
  const note = `${earlier} earlier entries: ${COMMAND} sessions show ${id}`;
  const head = earlier === 0 ? "" : `${printing.style.dim(note)}\n\n`;
  return `${head}${shown.join("").trimStart()}\n`;
}

function printShortened(block: Block, printing: Printing): string | undefined {
  if (block.kind !== "answer") return printBlock(block, printing);
  const { text, omittedChars } = endOfAnswer(block.text, MAX_ANSWER_CHARS);
  const printed = printBlock({ ...block, text }, printing);
  if (omittedChars === 0 || printed === undefined) return printed;
  return `${printing.style.dim(`${omittedChars} earlier characters of this answer`)}\n${printed}`;
}
