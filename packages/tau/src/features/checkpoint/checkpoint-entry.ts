// A checkpoint in the log: an entry on the branch, so that it is there after a restart and a compaction, and
// not there at another place in the tree. Where one goes back to is the end of the turn that set it, because
// every call of that turn has its result there.

import type { NewEntry, SessionEntry } from "../../session/entry.ts";
import { isConversation } from "../../session/entry-kinds.ts";
import { isResult } from "../../session/context/entry-messages.ts";
import type { CustomEntryKind } from "../../session/kinds/custom-kinds.ts";

const CHECKPOINT_ENTRY = "checkpoint";

export interface Checkpoint {
  goal: string;
  /** ISO 8601. */
  startedAt: string;
}

export function beginEntry(checkpoint: Checkpoint): NewEntry {
  return { type: "custom", customType: CHECKPOINT_ENTRY, data: { ...checkpoint, isOpen: true } };
}

export const CLOSE_ENTRY: NewEntry = {
  type: "custom",
  customType: CHECKPOINT_ENTRY,
  data: { isOpen: false },
};

/** The one that is open, as the state of a branch has it. */
export function openCheckpoint(kept: Readonly<Record<string, unknown>>): Checkpoint | undefined {
  return read(kept[CHECKPOINT_ENTRY]);
}

/** The place on a branch, from 0, up to which everything stays; undefined if none is open there. */
export function turnOfCheckpoint(branch: readonly SessionEntry[]): number | undefined {
  const begun = branch.findLastIndex(isOwn);
  const own = branch[begun];
  if (own?.type !== "custom" || !read(own.data)) return undefined;
  let end = begun;
  for (let at = begun + 1; at < branch.length; at++) {
    const entry = branch[at]!;
    if (isResult(entry)) end = at;
    else if (isConversation(entry) || entry.type === "compaction") break;
  }
  return end;
}

export function isOwn(entry: SessionEntry): boolean {
  return entry.type === "custom" && entry.customType === CHECKPOINT_ENTRY;
}

export const CHECKPOINT_KIND: CustomEntryKind = {
  customType: CHECKPOINT_ENTRY,
  describe: (entry) => ({
    kind: CHECKPOINT_ENTRY,
    text: (entry.type === "custom" && read(entry.data)?.goal) || "closed",
  }),
  show: () => [],
};

function read(data: unknown): Checkpoint | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const { isOpen, goal, startedAt } = data as Record<string, unknown>;
  if (isOpen !== true || typeof goal !== "string") return undefined;
  return { goal, startedAt: typeof startedAt === "string" ? startedAt : "" };
}
