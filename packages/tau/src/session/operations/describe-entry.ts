// One line about an entry, for lists and trees: what kind it is, and how it begins.

import { oneLine } from "@tau/tui/width";
import type { SessionEntry } from "../entry.ts";
import { kindOf } from "../entry-kinds.ts";
import type { EntryDescription } from "../kinds/entry-kind.ts";

/** Of an entry's text, what a line may show; a screen is narrower. */
const MAX_PREVIEW_CHARACTERS = 300;

export function describeEntry(entry: SessionEntry): EntryDescription {
  const { kind, text } = kindOf(entry).describe(entry);
  return { kind, text: oneLine(text.trimStart().slice(0, MAX_PREVIEW_CHARACTERS)).trim() };
}

/** All that can be searched for in it. */
export function searchTextOf(entry: SessionEntry): string {
  const { kind, text } = kindOf(entry).describe(entry);
  return `${kind}\n${text}`;
}
