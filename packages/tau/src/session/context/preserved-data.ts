// What a compaction keeps beside its summary, in `preserveData`: messages that stand behind
// the summary (context files, skills, todos), and frames of a snapshot. It is read from disk
// and may be another program's, so that what does not fit is passed over.

import type { DeveloperMessage, ImageBlock, UserMessage } from "@tau/ai/message";
import type { CompactionEntry } from "../entry.ts";

export type ReinjectedMessage = UserMessage | DeveloperMessage;

export interface PreservedData {
  reinjected?: readonly ReinjectedMessage[];
  snapshot?: { frames: readonly ImageBlock[] };
}

type Preserving = Pick<CompactionEntry, "preserveData">;

export function reinjectedOf(entry: Preserving): readonly ReinjectedMessage[] {
  return listIn(entry.preserveData, "reinjected").filter(isReinjected);
}

export function framesOf(entry: Preserving): readonly ImageBlock[] {
  return listIn(entry.preserveData?.snapshot, "frames").filter(isImage);
}

function listIn(value: unknown, key: string): unknown[] {
  if (!isObject(value)) return [];
  const list = value[key];
  return Array.isArray(list) ? list : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isReinjected(value: unknown): value is ReinjectedMessage {
  if (!isObject(value) || !Array.isArray(value.content)) return false;
  return value.role === "user" || value.role === "developer";
}

/** Also false for the note that stands in for a lost image. */
function isImage(value: unknown): value is ImageBlock {
  return isObject(value) && value.type === "image" && typeof value.data === "string";
}
