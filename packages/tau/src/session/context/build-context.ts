// From a branch of entries (root to leaf) to what the model sees and the state a run starts
// with. Pure: the same entries give the same context, before and after a restart. A run does
// not call this for every turn; it keeps a ContextView, which must come to the same result.

import type { Message } from "@tau/ai/message";
import type { CompactionEntry, SessionEntry } from "../entry.ts";
import { messagesOf } from "./entry-messages.ts";
import { foldState } from "./fold-state.ts";
import { INITIAL_STATE, type RuntimeState } from "./runtime-state.ts";

export interface Context {
  messages: readonly Message[];
  /** The id of the entry each message came from; an entry may have given several. */
  sources: readonly string[];
  state: RuntimeState;
  /** Messages from this index on were said after the latest compaction. */
  sinceCompaction: number;
  /** Tokens that were pruned away after the last reply, whose measured usage includes them. */
  prunedSinceReply: number;
}

/** What is known of entries that are no longer at hand. */
export interface ContextBase {
  state: RuntimeState;
  prunedIds: ReadonlySet<string>;
}

export const EMPTY_BASE: ContextBase = { state: INITIAL_STATE, prunedIds: new Set() };

export function buildContext(branch: readonly SessionEntry[]): Context {
  return assembleContext(branch, EMPTY_BASE);
}

/** A context under construction: entries are put to its end, one by one. */
export class ContextDraft implements Context {
  readonly messages: Message[] = [];
  readonly sources: string[] = [];
  state: RuntimeState;
  sinceCompaction = 0;
  prunedSinceReply = 0;
  readonly #prunedIds: ReadonlySet<string>;
  #hasReply = false;

  constructor(base: ContextBase) {
    this.state = base.state;
    this.#prunedIds = base.prunedIds;
  }

  push(entry: SessionEntry): void {
    if (entry.type === "prune") this.prunedSinceReply += entry.tokensSaved;
    for (const message of messagesOf(entry, this.#prunedIds)) {
      if (message.role === "assistant") {
        this.#hasReply = true;
        this.prunedSinceReply = 0;
      }
      // Its call is on the other side of a cut: a vendor refuses the whole request for it.
      if (message.role === "toolResult" && !this.#hasReply) continue;
      this.messages.push(message);
      this.sources.push(entry.id);
    }
  }
}

export function assembleContext(branch: readonly SessionEntry[], base: ContextBase): ContextDraft {
  const cut = latestCut(branch);
  const draft = new ContextDraft({
    state: branch.reduce(foldState, base.state),
    prunedIds: prunedIn(branch, base.prunedIds),
  });
  if (cut) {
    draft.push(branch[cut.at]!);
    for (let at = cut.keptFrom; at < cut.at; at++) {
      // The newer summary has taken in what an older one said.
      if (branch[at]!.type !== "compaction") draft.push(branch[at]!);
    }
    draft.sinceCompaction = draft.messages.length;
    draft.prunedSinceReply = 0;
  }
  for (let at = cut ? cut.at + 1 : 0; at < branch.length; at++) draft.push(branch[at]!);
  return draft;
}

export interface Cut {
  compaction: CompactionEntry;
  /** Where the compaction stands in the branch. */
  at: number;
  /** Where what it kept begins; `at` where it kept nothing that is on this branch. */
  keptFrom: number;
}

/** The latest compaction of a branch, which is the only one that counts. */
export function latestCut(branch: readonly SessionEntry[]): Cut | undefined {
  const at = branch.findLastIndex((entry) => entry.type === "compaction");
  if (at < 0) return undefined;
  const compaction = branch[at] as CompactionEntry;
  for (let from = at - 1; from >= 0; from--) {
    if (branch[from]!.id === compaction.firstKeptEntryId) return { compaction, at, keptFrom: from };
  }
  return { compaction, at, keptFrom: at };
}

export function prunedIn(
  branch: readonly SessionEntry[],
  before: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  const ids = new Set(before);
  for (const entry of branch) {
    if (entry.type === "prune") for (const id of entry.entryIds) ids.add(id);
  }
  return ids;
}
