// What a session's position needs of its log: the branch since the latest compaction, and what
// was set before it.

import { foldState } from "./context/fold-state.ts";
import { INITIAL_STATE, type RuntimeState } from "./context/runtime-state.ts";
import type { SessionEntry } from "./entry.ts";
import type { SessionLog } from "./session-log.ts";

export interface ContextSource {
  branch: SessionEntry[];
  before: RuntimeState;
}

export async function readContext(log: SessionLog): Promise<ContextSource> {
  const branch = await log.branch({ sinceCompaction: true });
  const isWhole = branch.length === 0 || branch[0]!.parentId === null;
  const earlier = isWhole ? [] : await log.stateEntries();
  // Titles stand beside the tree: no branch has them.
  const titled = log.title === undefined ? INITIAL_STATE : { ...INITIAL_STATE, title: log.title };
  return { branch, before: earlier.reduce(foldState, titled) };
}
