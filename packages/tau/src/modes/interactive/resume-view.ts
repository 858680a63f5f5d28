// Where an earlier session stands, shown when it is opened: the last of what was said and done, as
// it looked then. However long the session, no more than a few screens are laid out; the rest is
// one key away.

import type { Block } from "../../session/projection/block.ts";
import { endOfAnswer } from "./answer-end.ts";
import { makeBlock, type BlockLook, type BlockPlace } from "./blocks/make-block.ts";
import type { Surface } from "./surface.ts";

/** About three screens of an ordinary conversation. */
const SHOWN_BLOCKS = 60;
/** An answer longer than this is shown from its end. */
const MAX_ANSWER_CHARS = 20_000;

export interface ResumeViewOptions extends BlockPlace, Omit<BlockLook, "detail"> {
  surface: Surface;
  /** The key that shows all of it. */
  wholeKey: string | undefined;
}

export function showEarlier(blocks: readonly Block[], options: ResumeViewOptions): void {
  const { surface } = options;
  const first = firstShown(blocks);
  if (first > 0) {
    surface.note(`${first} earlier entries${whereAll(options)}`);
  }
  for (const block of blocks.slice(first)) showBlock(block, options);
}

/** The first of all; in a long session something that a person said, if that is not too far away. */
function firstShown(blocks: readonly Block[]): number {
  const from = blocks.length - SHOWN_BLOCKS;
  if (from <= 0) return 0;
  const ahead = blocks.findIndex((block, at) => at >= from && block.kind === "user");
  return ahead < 0 ? from : ahead;
}

const whereAll = ({ wholeKey }: ResumeViewOptions): string =>
  wholeKey === undefined ? "" : `; ${wholeKey} shows all of it`;

function showBlock(block: Block, options: ResumeViewOptions): void {
  const { surface } = options;
  const { component, kind } = makeBlock(shortened(block, options), options, {
    ...options,
    detail: "short",
  });
  surface.append(component, kind);
}

function shortened(block: Block, options: ResumeViewOptions): Block {
  if (block.kind !== "answer") return block;
  const { text, omittedChars } = endOfAnswer(block.text, MAX_ANSWER_CHARS);
  if (omittedChars > 0) {
    options.surface.note(`${omittedChars} earlier characters of this answer${whereAll(options)}`);
  }
  return { ...block, text };
}
