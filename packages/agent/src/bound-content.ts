// Bounds what a tool gave before a model sees it, and keeps the whole where it can be read
// again: the bounded text ends with the artifact's address. All text of one result shares
// one allowance, however many blocks it came in.

import { boundOutput, type OutputLimits } from "./bound-output.ts";
import type { ToolContent } from "./tool.ts";

/** Keeps a text that was too long for the model; undefined where nothing can be kept. */
export type Spill = (
  toolName: string,
  text: string,
) => { id: string } | undefined | Promise<{ id: string } | undefined>;

export interface BoundedContent {
  content: ToolContent[];
  artifactId?: string;
  /** Why the whole could not be kept; the bounded text stands all the same. */
  bug?: unknown;
}

/** What is left for the last of many blocks, so that it is never cut to nothing. */
const LEAST_BYTES = 1024;
const LEAST_LINES = 20;
/** So many blocks are given the least once the allowance is used up; of the others it is said how many there are. */
const MAX_LEAST_BLOCKS = 16;

export async function boundContent(
  toolName: string,
  content: readonly ToolContent[],
  limits: OutputLimits,
  spill: Spill | undefined,
): Promise<BoundedContent> {
  const left = { bytes: limits.bytes, lines: limits.lines };
  const bounded: ToolContent[] = [];
  let lastCut: { type: "text"; text: string } | undefined;
  let least = 0;
  let dropped = 0;
  for (const block of content) {
    if (block.type !== "text") {
      bounded.push(block);
      continue;
    }
    if (left.bytes === LEAST_BYTES && ++least > MAX_LEAST_BLOCKS) {
      dropped++;
      continue;
    }
    const { text, cutBytes, shortenedLines } = boundOutput(block.text, { ...limits, ...left });
    const kept = { ...block, text };
    bounded.push(kept);
    if (cutBytes > 0 || shortenedLines > 0) lastCut = kept;
    left.bytes = Math.max(LEAST_BYTES, left.bytes - text.length);
    left.lines = Math.max(LEAST_LINES, left.lines - text.split("\n", left.lines).length);
  }
  if (dropped > 0) {
    lastCut = { type: "text", text: `[${dropped} more blocks of text]` };
    bounded.push(lastCut);
  }
  if (!lastCut || !spill) return { content: bounded };
  const whole = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  try {
    const artifact = await spill(toolName, whole);
    if (!artifact) return { content: bounded };
    const gap = lastCut.text.endsWith("\n") ? "" : "\n";
    lastCut.text += `${gap}[the whole output: artifact://${artifact.id}]`;
    return { content: bounded, artifactId: artifact.id };
  } catch (error) {
    return { content: bounded, bug: error };
  }
}
