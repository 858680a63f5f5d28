// Whether a tree has something in the place of an ignore file that nobody can read to its end: a FIFO
// or a device. Our own walk passes over it; ripgrep opens it and waits for ever.

import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemCode } from "../storage-error.ts";
import { walkTree } from "./walk-tree.ts";

export async function hasBlockingIgnoreFile(
  root: string,
  { signal, deadline }: { signal?: AbortSignal | undefined; deadline: number },
): Promise<boolean> {
  let found = false;
  const look = async (path: string): Promise<void> => {
    if (await isBlocking(path)) found = true;
  };
  // The rules above the tree are read, too, up to the repository's root.
  for (let at = root; ; at = dirname(at)) {
    await look(join(at, ".gitignore"));
    await look(join(at, ".git", "info", "exclude"));
    if (existsSync(join(at, ".git")) || at === dirname(at)) break;
  }
  if (found) return true;
  await walkTree({
    root,
    gitignore: false,
    hidden: true,
    signal,
    deadline,
    async onEntries(entries) {
      for (const { path, kind } of entries) {
        const isIgnoreFile = path === ".gitignore" || path.endsWith("/.gitignore");
        if (isIgnoreFile && kind !== "file") await look(join(root, path));
        // A repository within: its own rules are read, too.
        else if (path.endsWith("/.git")) await look(join(root, path, "info", "exclude"));
      }
      return !found;
    },
  });
  return found;
}

async function isBlocking(path: string): Promise<boolean> {
  try {
    const status = await stat(path);
    return !status.isFile() && !status.isDirectory();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}
