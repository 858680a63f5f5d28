// Which entries of a tree are shown: by kind, and by words.

import type { SessionEntry } from "../entry.ts";
import { kindOf } from "../entry-kinds.ts";
import { searchTextOf } from "./describe-entry.ts";

export const TREE_FILTERS = ["default", "no-tools", "user-only", "labeled-only", "all"] as const;
export type TreeFilter = (typeof TREE_FILTERS)[number];

/** Whether an entry is of the kinds that a filter shows; labels are asked for elsewhere. */
export function isShown(entry: SessionEntry, filter: TreeFilter): boolean {
  if (filter === "all" || filter === "labeled-only") return true;
  if (filter === "user-only") return entry.type === "message" && entry.message.role === "user";
  if (kindOf(entry).inTree !== "shown" || isOnlyCalls(entry)) return false;
  return filter === "default" || entry.type !== "message" || entry.message.role !== "toolResult";
}

/** A reply that says nothing but calls tools; one that failed says that. */
function isOnlyCalls(entry: SessionEntry): boolean {
  if (entry.type !== "message" || entry.message.role !== "assistant") return false;
  const { content, stopReason } = entry.message;
  if (stopReason !== "stop" && stopReason !== "toolUse") return false;
  return !content.some((block) => block.type === "text" && block.text.trim() !== "");
}

/** More words than these only repeat themselves. */
const MAX_WORDS = 16;

export interface WordSearch {
  /** Which words a text has, one bit each. */
  found(text: string): number;
  /** All bits. */
  readonly wanted: number;
}

/** All words must be there, in any order and case. */
export function searchFor(query: string): WordSearch {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  return {
    wanted: 2 ** words.length - 1,
    found(text) {
      const lower = text.toLowerCase();
      return words.reduce((bits, word, at) => bits | (lower.includes(word) ? 2 ** at : 0), 0);
    },
  };
}

export function wordsIn(entry: SessionEntry, search: WordSearch): number {
  return search.wanted === 0 ? 0 : search.found(searchTextOf(entry));
}
