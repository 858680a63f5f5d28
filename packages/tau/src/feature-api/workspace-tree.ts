// A working tree of a session's own, apart from the user's: what its processes have to run in to see it,
// and what a sandbox around them has to leave open.

import type { ProcessWrapper } from "@tau/host/process/process-wrapper";

export interface WorkspaceTree {
  readonly root: string;
  /** Undefined if everybody sees it. */
  readonly enter?: ProcessWrapper;
  readonly writable: readonly string[];
}
