// How to start this program a second time, for work that is better done in a process of its
// own. Only the program knows itself; embedded in another one there is none to start.

import { existsSync } from "node:fs";

let isProgram = false;

/** Called once, by the front door. */
export function markAsProgram(): void {
  isProgram = true;
}

/** Whether the process is Tau's, and not that of a program that embeds it. */
export function isOwnProcess(): boolean {
  return isProgram;
}

/** Undefined where Tau is a library in somebody else's program. */
export function selfCommand(args: readonly string[]): string[] | undefined {
  if (!isProgram) return undefined;
  // A single executable has its modules inside and needs no script to be named.
  if (Bun.isStandaloneExecutable) return [ownExecutable(), ...args];
  // The launcher's flags keep the configuration of any directory out of the second process, too.
  return [process.execPath, ...process.execArgv, Bun.main, ...args];
}

/** A newer build may have taken the file away while this one runs; Linux still has it. */
function ownExecutable(): string {
  if (process.platform !== "linux" || existsSync(process.execPath)) return process.execPath;
  return `/proc/${process.pid}/exe`;
}
