// The older part of the conversation as pictures of its text, for models that read images: no
// model call, nothing paraphrased, and a page costs less as an image than as text. The first
// page and the newest ones stay; a model that reads text only gets a summary instead.

import type { ImageBlock, Message } from "@tau/ai/message";
import { framesOf } from "../../session/context/preserved-data.ts";
import type { CompactionEntry } from "../../session/entry.ts";
import { composeSummary, filesOf, recall } from "./compose-summary.ts";
import { weigh } from "./compact.ts";
import { planCompaction } from "./plan-compaction.ts";
import snapshotGuide from "./prompts/snapshot-guide.md" with { type: "text" };
import { serialiseMessage } from "./serialise-conversation.ts";
import {
  drawable,
  drawFrame,
  FRAME_COLUMNS,
  FRAME_LINES,
  unreadableShare,
} from "./snapshot-frame.ts";
import {
  dropped,
  type CompactionDeps,
  type CompactionDraft,
  type CompactionInput,
  type CompactionResult,
  type CompactionStrategy,
} from "./strategy.ts";
import { saidIn, summarise } from "./summary.ts";
import { collectWords, wordsBudget } from "./user-words.ts";

/** More pages would cost as much as a summary is meant to save. */
const MAX_FRAMES = 8;
/** The session's beginning, where it says what it is about, is never let go. */
const PINNED_FRAMES = 1;
/** Of what there was: with less gained, it would soon be due again. */
const MOST_AFTER = 0.7;
/** A page with more boxes than this is not the conversation any more. */
const MAX_UNREADABLE_SHARE = 0.05;

export const snapshotStrategy: CompactionStrategy = { name: "snapshot", compact: takeSnapshot };

async function takeSnapshot(
  input: CompactionInput,
  deps: CompactionDeps,
): Promise<CompactionResult> {
  // Someone who says what to attend to wants a summary.
  if (input.instructions !== undefined) return summarise(input, deps);
  if (!input.model.input.includes("image")) return summarise(input, deps);
  const plan = planCompaction(input);
  if (!plan) return dropped("nothing_to_summarise");
  const covered = [...plan.history, ...plan.turnPrefix];
  const lines = linesOf(saidIn(covered), plan.previous);
  if (unreadableShare(lines.join("")) > MAX_UNREADABLE_SHARE) return summarise(input, deps);
  const earlier = plan.previous ? framesOf(plan.previous) : [];
  const { frames, evicted } = framesWithin(earlier, lines);
  const memory = recall(plan.previous);
  const before = evictedIn(memory.details) + evicted;
  const { summary, details } = composeSummary({
    narrative: guide(frames.length, before),
    words: collectWords(covered, memory.details, wordsBudget(input.model.contextWindow)),
    constraints: memory.constraints,
    files: filesOf(memory, covered),
  });
  const draft: CompactionResult = {
    type: "draft",
    draft: {
      summary,
      firstKeptEntryId: plan.firstKeptEntryId,
      details: { ...details, evictedFrames: before },
      preserveData: { snapshot: { frames } },
    },
  };
  return isWorthwhile(draft.draft, input) ? draft : summarise(input, deps);
}

/** Pages of a small window cost what they save, and the next turn would take them again. */
function isWorthwhile(draft: CompactionDraft, input: CompactionInput): boolean {
  const weighed = weigh(draft, input, {});
  if (weighed.type !== "compaction") return false;
  const { tokensBefore, tokensAfter } = weighed.entry;
  return tokensAfter <= tokensBefore * MOST_AFTER;
}

function guide(frames: number, evicted: number): string {
  const text = snapshotGuide
    .trim()
    .replace("{{frames}}", `${frames} ${frames === 1 ? "page" : "pages"}`);
  return evicted === 0
    ? text
    : `${text} Between the first page and the second, ${evicted} were left out.`;
}

function linesOf(messages: readonly Message[], previous: CompactionEntry | undefined): string[] {
  const texts = messages.map(serialiseMessage);
  // Frames are carried on as they are; a summary in words is put at the head.
  if (previous && framesOf(previous).length === 0) {
    texts.unshift(`[Summary of earlier history]: ${recall(previous).narrative}`);
  }
  return texts.flatMap((text) => wrap(drawable(text).trim()));
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += FRAME_COLUMNS) {
    lines.push(text.slice(at, at + FRAME_COLUMNS));
  }
  return lines;
}

/** Only pages that stay are drawn. */
function framesWithin(
  earlier: readonly ImageBlock[],
  lines: readonly string[],
): { frames: ImageBlock[]; evicted: number } {
  const pages: (() => ImageBlock)[] = earlier.map((frame) => () => frame);
  for (let at = 0; at < lines.length; at += FRAME_LINES) {
    pages.push(() => drawFrame(lines.slice(at, at + FRAME_LINES)));
  }
  const evicted = Math.max(0, pages.length - MAX_FRAMES);
  pages.splice(PINNED_FRAMES, evicted);
  return { frames: pages.map((draw) => draw()), evicted };
}

function evictedIn(details: unknown): number {
  const count = (details as { evictedFrames?: unknown } | null | undefined)?.evictedFrames;
  return typeof count === "number" ? count : 0;
}
