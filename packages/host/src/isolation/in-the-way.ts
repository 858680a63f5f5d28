// Files of the parent's that git does not know, because it ignores them, and that a merge would replace: git
// itself takes such files for expendable. Nothing of the user's is.

import { lstat, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemCode } from "../storage-error.ts";
import { bytePath, onDisk } from "../walk/byte-path.ts";

const NOT_THERE: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);

export async function entryAt(path: string) {
  try {
    return await lstat(onDisk(path));
  } catch (error) {
    // Below a link that leads in a circle there is nothing either.
    if (NOT_THERE.has(systemCode(error) ?? "")) return undefined;
    throw error;
  }
}

/** Of the paths, relative to the root, that are to be new: those where something is that is not known. */
export async function pathsInTheWay(
  root: string,
  added: readonly string[],
  known: ReadonlySet<string>,
): Promise<string[]> {
  const directories = new Map<string, boolean>();
  /** Whether it is one, or can be made one. */
  const isFree = async (directory: string): Promise<boolean> => {
    if (directory === ".") return true;
    const before = directories.get(directory);
    if (before !== undefined) return before;
    const entry = (await isFree(dirname(directory))) && (await entryAt(join(root, directory)));
    const free =
      entry === undefined || (entry !== false && (entry.isDirectory() || known.has(directory)));
    directories.set(directory, free);
    return free;
  };
  const found: string[] = [];
  for (const path of added) {
    if (!(await isFree(dirname(path))) || (await isUnknown(root, path, known))) found.push(path);
  }
  return found;
}

/** Whether something is there, in it or below it, that nobody knows. */
async function isUnknown(root: string, path: string, known: ReadonlySet<string>): Promise<boolean> {
  const entry = await entryAt(join(root, path));
  if (entry === undefined || known.has(path)) return false;
  if (!entry.isDirectory()) return true;
  for (const name of await readdir(onDisk(join(root, path)), { encoding: "buffer" })) {
    if (await isUnknown(root, join(path, bytePath(name)), known)) return true;
  }
  return false;
}
