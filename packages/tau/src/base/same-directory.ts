// Directories by what they are, not by how they were entered.

import { existsSync, realpathSync } from "node:fs";

/** Links resolved, so that a project is one project however it was entered. */
export function canonicalPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === "string") return path;
    throw error;
  }
}

export function sameDirectory(one: string, other: string): boolean {
  return one === other || canonicalPath(one) === canonicalPath(other);
}

export function isGone(directory: string): boolean {
  return !existsSync(directory);
}
