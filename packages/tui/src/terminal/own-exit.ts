// The program's own ways to end its process. Code that was brought along by others may be kept from ending
// it; whoever does so has to know the program's own calls from theirs, and a stack does not tell (a call in
// the last place of a function leaves no trace of it).

let depth = 0;

/** Whether it is the program itself that ends the process just now. */
export function isOwnExit(): boolean {
  return depth > 0;
}

function byProgram<T>(work: () => T): T {
  depth++;
  try {
    return work();
  } finally {
    depth--;
  }
}

export function exitProcess(code: number): never {
  return byProgram(() => process.exit(code));
}

/** `pid` zero is the group of this process. */
export function signalSelf(
  signal: NodeJS.Signals,
  pid: 0 | typeof process.pid = process.pid,
): void {
  byProgram(() => process.kill(pid, signal));
}
