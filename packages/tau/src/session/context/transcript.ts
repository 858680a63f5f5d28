// The whole conversation for people: every entry of a branch that can be shown, in the order
// it happened, with compactions where they took place. What was summarised or pruned for the
// model is still here as it was. Never sent to a provider.

import type {
  BranchSummaryEntry,
  CompactionEntry,
  CustomMessageEntry,
  MessageEntry,
  SessionEntry,
} from "../entry.ts";

export type TranscriptEntry =
  MessageEntry | CustomMessageEntry | CompactionEntry | BranchSummaryEntry;

export function isShown(entry: SessionEntry): entry is TranscriptEntry {
  switch (entry.type) {
    case "message":
    case "compaction":
    case "branch_summary":
      return true;
    case "custom_message":
      return entry.display;
    default:
      return false;
  }
}

export function buildTranscript(branch: readonly SessionEntry[]): TranscriptEntry[] {
  return branch.filter(isShown);
}
