// Looks for words in a conversation, block by block from where somebody is, and round. Others
// have their turn in between; whoever asks for something else ends it.

import type { TranscriptBlocks } from "./transcript-blocks.ts";
import type { TranscriptPlace } from "./transcript-window.ts";

/** A key must be answered within a frame; searching may have a part of it. */
const TURN_MS = 6;

export interface TranscriptSearch {
  query: string;
  /** The first row that is not looked at is this one. */
  from: TranscriptPlace;
  direction: "older" | "newer";
  signal: AbortSignal;
  onProgress(blocks: number): void;
}

/** Undefined where there is none, or it was aborted. */
export async function searchTranscript(
  blocks: TranscriptBlocks,
  { query, from, direction, signal, onProgress }: TranscriptSearch,
): Promise<TranscriptPlace | undefined> {
  const wanted = query.toLowerCase();
  const step = direction === "older" ? -1 : 1;
  const { length } = blocks;
  let until = performance.now() + TURN_MS;
  // Once round, and the rest of the block in which it began.
  for (let count = 0; count <= length; count += 1) {
    const block = (((from.block + step * count) % length) + length) % length;
    const rows = await blocks.read(block);
    if (signal.aborted) return undefined;
    const row = rowIn(rows, wanted, {
      direction,
      beyond: count === 0 ? from.row : undefined,
    });
    if (row >= 0) return { block, row };
    if (performance.now() < until) continue;
    onProgress(count);
    await new Promise<void>((resolve) => setImmediate(resolve));
    until = performance.now() + TURN_MS;
    if (signal.aborted) return undefined;
  }
  return undefined;
}

function rowIn(
  rows: readonly string[],
  wanted: string,
  { direction, beyond }: { direction: "older" | "newer"; beyond?: number },
): number {
  const isMatch = (text: string, row: number): boolean => {
    const isBeyond = beyond === undefined || (direction === "older" ? row < beyond : row > beyond);
    return isBeyond && plainText(text).toLowerCase().includes(wanted);
  };
  return direction === "older" ? rows.findLastIndex(isMatch) : rows.findIndex(isMatch);
}

export function plainText(row: string): string {
  return Bun.stripANSI(row);
}
