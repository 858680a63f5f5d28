// How to start this program a second time, for work that is better done in a process of its
// own. Only the program knows itself; embedded in another one there is none to start.

let isProgram = false;

/** Called once, by the front door. */
export function markAsProgram(): void {
  isProgram = true;
}

/** Undefined where Tau is a library in somebody else's program. */
export function selfCommand(args: readonly string[]): string[] | undefined {
  if (!isProgram) return undefined;
  // A single executable has its modules inside and needs no script to be named.
  const isCompiled = import.meta.path.startsWith("/$bunfs/") || import.meta.path.includes("~BUN");
  if (isCompiled) return [process.execPath, ...args];
  // The launcher's flags keep the configuration of any directory out of the second process, too.
  return [process.execPath, ...process.execArgv, Bun.main, ...args];
}
