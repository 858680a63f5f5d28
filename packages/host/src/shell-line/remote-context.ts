// Another machine: nothing there is the work, so that whatever is deleted or overwritten on it is
// for a person to decide.

import type { ShellContext } from "./shell-context.ts";

/** Stands for the home directory there; nobody knows its name. */
const REMOTE_HOME = "/~";

export const REMOTE_WORLD = { home: REMOTE_HOME, workspace: "/-" };

export function remoteContext(): ShellContext {
  return {
    cwd: REMOTE_HOME,
    ...REMOTE_WORLD,
    temporary: ["/tmp"],
  };
}
