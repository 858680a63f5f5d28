// The directory that a run works in. Checked before anything else, because everything after
// it would fail with a worse sentence.

import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import { EXIT } from "../exit-code.ts";
import { UserError } from "../user-error.ts";

export function workingDirectory(wanted: string | undefined): string {
  const cwd =
    wanted === undefined ? currentDirectory("choose another with --cwd") : resolve(wanted);
  try {
    if (!statSync(cwd).isDirectory()) {
      throw new UserError(`${cwd} is not a directory; name one with --cwd`, EXIT.usage);
    }
    accessSync(cwd, constants.R_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { code } = error as { code?: string };
    const why = code === "ENOENT" ? "does not exist" : "may not be read";
    throw new UserError(`the directory ${cwd} ${why}; choose another with --cwd`, EXIT.usage);
  }
  return cwd;
}

/** For commands that cannot be told another one. */
export function currentDirectory(remedy = "go to another one first"): string {
  try {
    return process.cwd();
  } catch {
    throw new UserError(`the current directory no longer exists; ${remedy}`, EXIT.usage);
  }
}
