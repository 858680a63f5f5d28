// All that is in a directory, byte for byte, for comparing trees: what kind each entry is, whether it can be run, and
// its content. Not what is in a `.git`.

import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { bytePath, onDisk } from "../../walk/byte-path.ts";

export async function snapshotOf(root: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const visit = async (below: string): Promise<void> => {
    const names = await readdir(onDisk(below === "" ? root : `${root}/${below}`), {
      encoding: "buffer",
    });
    for (const bytes of names) {
      const name = bytePath(bytes);
      if (name === ".git") continue;
      const path = below === "" ? name : `${below}/${name}`;
      const full = onDisk(`${root}/${path}`);
      const entry = await lstat(full);
      if (entry.isSymbolicLink()) found[path] = `link ${await readlink(full)}`;
      else if (entry.isDirectory()) await visit(path);
      else {
        const kind = (entry.mode & 0o100) === 0 ? "file" : "program";
        found[path] = `${kind} ${(await readFile(full)).toString("latin1")}`;
      }
    }
  };
  await visit("");
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
