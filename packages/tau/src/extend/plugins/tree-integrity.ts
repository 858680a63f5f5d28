// The hash of a tree of files: names, contents, executable bits and where links lead. It also is where the
// tree as it will be installed is checked: nothing in it leads out, and it is not too much.

import { createReadStream } from "node:fs";
import { lstat, readlink, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { systemCode } from "@tau/host/storage-error";
import { listDirectory } from "@tau/host/walk/list-directory";
import { isBelow } from "../../base/is-below.ts";
import { UserError } from "../../user-error.ts";
import { MAX_TREE_BYTES, MAX_TREE_FILES } from "./limits.ts";

const EXECUTABLE_BITS = 0o111;

/** In the form that npm uses. Rejects with `UserError` if the tree is not one that may be installed. */
export async function treeIntegrity(given: string): Promise<string> {
  const root = await realpath(given);
  const hasher = new Bun.CryptoHasher("sha512");
  let files = 0;
  let bytes = 0;
  // Lengths keep ["ab"] and ["a", "b"] apart.
  const add = (text: string): void => void hasher.update(`${text.length}:${text}`);
  const visit = async (directory: string): Promise<void> => {
    const entries = (await listDirectory(directory)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name } of entries) {
      const path = join(directory, name);
      const shown = relative(root, path).split(sep).join("/");
      const found = await lstat(path);
      if (++files > MAX_TREE_FILES) throw new UserError(`it has more than ${MAX_TREE_FILES} files`);
      add(shown);
      if (found.isSymbolicLink()) {
        await assertInside(path, root, shown);
        add(`link ${await readlink(path)}`);
      } else if (found.isDirectory()) await visit(path);
      else if (found.isFile()) {
        bytes += found.size;
        if (bytes > MAX_TREE_BYTES) {
          throw new UserError(`it has more than ${MAX_TREE_BYTES / 1024 / 1024} MB`);
        }
        add((found.mode & EXECUTABLE_BITS) !== 0 ? "program" : "file");
        add(String(found.size));
        for await (const chunk of createReadStream(path)) hasher.update(chunk as Buffer);
      } else throw new UserError(`${shown} is neither a file nor a directory`);
    }
  };
  await visit(root);
  return `sha512-${hasher.digest("base64")}`;
}

async function assertInside(path: string, root: string, shown: string): Promise<void> {
  try {
    if (!isBelow(await realpath(path), root))
      throw new UserError(`${shown} leads out of the plugin`);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw new UserError(`${shown} leads nowhere`);
  }
}
