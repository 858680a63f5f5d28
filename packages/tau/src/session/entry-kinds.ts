// The table of entry kinds: one row for each type that this Tau writes, complete by the compiler's
// word. What the log, the tree, the context and the views know of a kind they know from here.
// Entries of other types (of a newer Tau, of kinds that are gone) are kept and passed over.

import type { SessionEntry } from "./entry.ts";
import { labelKind, leafKind, mailKind, modelCallKind, titleKind } from "./kinds/aside-kinds.ts";
import { byName, setsNothing, unheard, unseen, type EntryKind } from "./kinds/entry-kind.ts";
import {
  branchSummaryKind,
  compactionKind,
  customMessageKind,
  messageKind,
} from "./kinds/said-kinds.ts";
import {
  customKind,
  eventKind,
  modelChangeKind,
  pruneKind,
  ruleInjectionKind,
  thinkingChangeKind,
} from "./kinds/state-kinds.ts";

type EntryKinds = {
  readonly [Type in SessionEntry["type"]]: EntryKind<Extract<SessionEntry, { type: Type }>>;
};

export const ENTRY_KINDS: EntryKinds = {
  message: messageKind,
  custom_message: customMessageKind,
  compaction: compactionKind,
  branch_summary: branchSummaryKind,
  leaf: leafKind,
  title: titleKind,
  prune: pruneKind,
  label: labelKind,
  model_change: modelChangeKind,
  thinking_level_change: thinkingChangeKind,
  custom: customKind,
  ttsr_injection: ruleInjectionKind,
  mail: mailKind,
  model_call: modelCallKind,
  event: eventKind,
};

/** What can be said of an entry of which only the line is known. */
const UNKNOWN: EntryKind<SessionEntry> = {
  place: "state",
  indexed: "head",
  inTree: "on_request",
  fold: setsNothing,
  describe: byName,
  messages: unheard,
  show: unseen,
};
const UNKNOWN_ASIDE: EntryKind<SessionEntry> = { ...UNKNOWN, place: "aside", inTree: "never" };

const ROWS: ReadonlyMap<string, EntryKind<SessionEntry>> = new Map(
  Object.entries(ENTRY_KINDS as Record<string, EntryKind<SessionEntry>>),
);

/** As much of an entry as its kind hangs on. */
export type KindHead = Pick<SessionEntry, "type" | "aside">;

/** A type that is not known goes by the flag on its line. */
export function kindOf({ type, aside }: KindHead): EntryKind<SessionEntry> {
  return ROWS.get(type) ?? (aside === true ? UNKNOWN_ASIDE : UNKNOWN);
}

/** Whether the position in the tree moves with it. */
export function movesLeaf(entry: KindHead): boolean {
  return kindOf(entry).place !== "aside";
}

/** On the branch, but not conversation: settings and what behaviours remember. */
export function isState(entry: KindHead): boolean {
  return kindOf(entry).place === "state";
}

/** Entries that are part of the conversation; every other kind is about it. */
export function isConversation(entry: KindHead): boolean {
  return kindOf(entry).place === "conversation";
}
