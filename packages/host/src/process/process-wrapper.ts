// What a process runs in, such as a sandbox: words before its own, and processes above it.

import { childrenOf } from "./process-tree.ts";

export interface ProcessWrapper {
  /** Stands before the program's own words. */
  argv: readonly string[];
  /** How many processes it puts above the program, each with the next as its first child. */
  processes: number;
  /**
   * Whether the program, or what it started, has tried to reach a network that is not there since the last
   * time this was asked; absent if there is one.
   */
  missedNetwork?(pid: number): MissedNetwork;
}

export type MissedNetwork = "yes" | "no" | "unknown";

/** The processes of the wrapper from the outermost, `pid`, and the program itself last. */
export function wrappedProcesses(pid: number, wrapper: ProcessWrapper | undefined): number[] {
  const own = [pid];
  while (own.length <= (wrapper?.processes ?? 0)) {
    const [first] = childrenOf(own.at(-1)!);
    if (first === undefined) break;
    own.push(first);
  }
  return own;
}
