// What a shell has written down about itself. It writes a new one beside the old, and may be killed in
// the middle of it: whoever wants to read it first takes over the new one, if that is whole.

import { readFileSync, renameSync } from "node:fs";
import type { ShellDriver } from "./shell-driver.ts";

/** The path, where there is something whole to go on from. */
export function settledState(path: string, driver: ShellDriver): string | undefined {
  const fresh = `${path}.new`;
  if (isWhole(fresh, driver)) renameSync(fresh, path);
  return isWhole(path, driver) ? path : undefined;
}

function isWhole(path: string, { stateEnd }: ShellDriver): boolean {
  try {
    return readFileSync(path, "utf8").trimEnd().endsWith(stateEnd);
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === "string") return false;
    throw error;
  }
}
