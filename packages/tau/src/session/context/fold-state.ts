// Folds entries into the state of a session, one by one: the latest word on the branch wins, and
// an entry costs the same however long the branch is.

import { kindOf } from "../entry-kinds.ts";
import type { SessionEntry } from "../entry.ts";
import type { RuntimeState } from "./runtime-state.ts";

/** The same object if the entry changes nothing. */
export function foldState(state: RuntimeState, entry: SessionEntry): RuntimeState {
  return kindOf(entry).fold(state, entry);
}
