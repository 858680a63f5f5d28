// A key at the terminal that does something of a feature's. Keys that Tau itself needs are never given
// away; of two features that want the same one, the first has it.

import type { Session } from "../session/session.ts";

export interface Shortcut {
  /** As in the settings of keys: `ctrl+shift+k`, `alt+x`, `f5`. */
  readonly key: string;
  readonly help: string;
  run(place: { readonly session: Session; readonly signal: AbortSignal }): void | Promise<void>;
}
