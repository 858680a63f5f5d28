// What stands over a thought, with how long it took if that is known.

import type { ThinkingBlock } from "../projection/block.ts";

export function thoughtWords({ durationMs }: Pick<ThinkingBlock, "durationMs">): string {
  return durationMs === undefined ? "Thought" : `Thought for ${(durationMs / 1000).toFixed(1)}s`;
}
