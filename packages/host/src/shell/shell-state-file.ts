// What a shell has written down about itself. It writes a new one beside the old, and may be killed in
// the middle of it: whoever wants to read it first takes over the new one, if that is whole.

import { join } from "node:path";
import type { ShellDriver } from "./shell-driver.ts";
import type { StateDirectory } from "./state-directory.ts";

export function stateName({ fileSuffix }: ShellDriver): string {
  return `state${fileSuffix}`;
}

/** The path, where there is something whole to go on from. */
export function settledState(directory: StateDirectory, driver: ShellDriver): string | undefined {
  const name = stateName(driver);
  const fresh = `${name}.new`;
  if (isWhole(directory, fresh, driver)) directory.rename(fresh, name);
  return isWhole(directory, name, driver) ? join(directory.path, name) : undefined;
}

function isWhole(directory: StateDirectory, name: string, { stateEnd }: ShellDriver): boolean {
  return directory.read(name)?.trimEnd().endsWith(stateEnd) === true;
}
