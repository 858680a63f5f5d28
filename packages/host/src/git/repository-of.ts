// The repository around a directory, found as git finds it, but without starting git: the nearest
// directory upwards with a `.git`. A directory below it that looks like a repository itself is none
// that anybody meant: git would take its configuration before that of the clone it lies in.

import { existsSync, lstatSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

export function repositoryOf(cwd: string): string | undefined {
  for (let directory = cwd; ; directory = dirname(directory)) {
    if (existsSync(join(directory, ".git"))) return directory;
    if (looksBare(directory) || directory === dirname(directory)) return undefined;
  }
}

/** What git asks of a directory to take it for a repository without a work tree. */
function looksBare(directory: string): boolean {
  // A link that leads nowhere is a head, too; and the rest may lie elsewhere.
  if (!isThere(join(directory, "HEAD"))) return false;
  const hasOwn = isDirectory(join(directory, "objects")) && isDirectory(join(directory, "refs"));
  return hasOwn || isThere(join(directory, "commondir"));
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
