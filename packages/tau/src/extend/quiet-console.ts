// What modules print by the usual ways. Standard output belongs to the answer, and the screen to Tau: an
// extension that prints must not get in the way of either.

import { format } from "node:util";

const PRINTING = ["log", "info", "debug", "warn", "error", "table", "dir", "trace"] as const;

let write: ((text: string) => void) | undefined;

/** From now on, in the whole process: modules that were loaded once stay there. */
export function quietConsole(to: (text: string) => void): void {
  const isFirst = write === undefined;
  write = to;
  if (!isFirst) return;
  for (const name of PRINTING) {
    console[name] = (...words: unknown[]): void => write?.(format(...words));
  }
}
