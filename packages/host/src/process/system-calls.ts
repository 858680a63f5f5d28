// The few calls to the system about processes that Bun does not offer. Linux alone has all of them.

import { openCLibrary } from "../c-library.ts";

const SET_DUMPABLE = 4;
const SET_CHILD_SUBREAPER = 36;
const DO_NOT_WAIT = 1;

interface ProcessCalls {
  prctl(option: number, value: bigint): number;
  waitpid(pid: number, status: null, options: number): number;
}

let calls: ProcessCalls | false | undefined;

function systemCalls(): ProcessCalls | false {
  calls ??= process.platform === "linux" ? find() : false;
  return calls;
}

function find(): ProcessCalls | false {
  const library = openCLibrary({
    prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
    waitpid: { args: ["i32", "ptr", "i32"], returns: "i32" },
  } as const);
  if (!library) return false;
  const { prctl, waitpid } = library.symbols;
  return {
    prctl: (option, value) => prctl(option, value, 0n, 0n, 0n),
    waitpid: (pid, status, options) => waitpid(pid, status, options),
  };
}

/** Processes whose parents end become children of this one, instead of the system's first. */
export function adoptOrphans(): boolean {
  const system = systemCalls();
  return system !== false && system.prctl(SET_CHILD_SUBREAPER, 1n) === 0;
}

/**
 * What this process has in its environment and memory, keys above all, cannot be read by other
 * processes of the same user any more, such as the commands that it runs.
 */
export function closeToOthers(): boolean {
  const system = systemCalls();
  return system !== false && system.prctl(SET_DUMPABLE, 0n) === 0;
}

/** Takes note of the end of an adopted process, which nobody else waits for. */
export function bury(pid: number): void {
  const system = systemCalls();
  if (system !== false) system.waitpid(pid, null, DO_NOT_WAIT);
}
