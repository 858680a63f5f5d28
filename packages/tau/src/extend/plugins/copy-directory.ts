// Copies a plugin out of a directory: files and links as they are, without a repository's own files and
// without installed packages, which are installed anew.

import { copyFile, lstat, mkdir, readlink, symlink } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "@tau/host/storage-error";
import { listDirectory } from "@tau/host/walk/list-directory";
import { UserError } from "../../user-error.ts";
import { MAX_PLUGIN_BYTES, MAX_PLUGIN_FILES } from "./limits.ts";

const LEFT_OUT: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** Whether a link leads out is seen when the whole is checked. */
export async function copyDirectory(from: string, to: string): Promise<void> {
  const found = await lstat(from).catch(() => undefined);
  if (!found) throw new UserError(`${from} does not exist`);
  if (!found.isDirectory()) throw new UserError(`${from} is not a directory`);
  let files = 0;
  let bytes = 0;
  const copy = async (source: string, target: string): Promise<void> => {
    await mkdir(target, { recursive: true });
    for (const { name } of await listDirectory(source)) {
      if (LEFT_OUT.has(name)) continue;
      const path = join(source, name);
      const one = await lstat(path);
      bytes += one.isFile() ? one.size : 0;
      if (++files > MAX_PLUGIN_FILES)
        throw new UserError(`${from} has more than ${MAX_PLUGIN_FILES} files`);
      if (bytes > MAX_PLUGIN_BYTES) {
        throw new UserError(`${from} has more than ${MAX_PLUGIN_BYTES / 1024 / 1024} MB`);
      }
      if (one.isDirectory()) await copy(path, join(target, name));
      else if (one.isSymbolicLink()) await symlink(await readlink(path), join(target, name));
      else if (one.isFile()) await copyFile(path, join(target, name));
    }
  };
  try {
    await copy(from, to);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw new UserError(`${from} cannot be copied (${code})`);
  }
}
