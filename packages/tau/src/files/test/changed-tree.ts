// A small tree of files, a change of all of them, and what may be seen of both afterwards: the
// whole tree before or the whole tree after, permissions included, and nothing else.

import { chmod, lstat, readdir, readFile, readlink, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { ScratchDirectory } from "@tau/testkit/scratch";
import type { FileChange } from "../file-change.ts";

export type Tree = Record<string, string>;

const CRLF = "\uFEFFone\r\ntwo\r\n";
const SCRIPT = "#!/bin/sh\necho old";

/** Files are shown as `mode content`, links as `-> target`. */
export async function seeTree(root: string): Promise<Tree> {
  const tree: Tree = {};
  const entries = await readdir(root, { recursive: true });
  for (const name of entries.toSorted()) {
    const path = join(root, name);
    const entry = await lstat(path);
    if (entry.isSymbolicLink()) tree[name] = `-> ${await readlink(path)}`;
    else if (entry.isFile()) {
      tree[name] = `${(entry.mode & 0o777).toString(8)} ${await readFile(path, "utf8")}`;
    }
  }
  return tree;
}

/** The same without the permissions, which depend on the umask. */
export async function seeContents(root: string): Promise<Tree> {
  const tree = await seeTree(root);
  return Object.fromEntries(
    Object.entries(tree).map(([name, seen]) => [name, seen.replace(/^\d+ /, "")]),
  );
}

/** Paths are below `files/`; the link leads to `files/sub/run.sh`. */
export async function plantTree(scratch: ScratchDirectory): Promise<FileChange[]> {
  await scratch.write("files/a.txt", CRLF);
  await scratch.write("files/sub/run.sh", SCRIPT);
  await scratch.write("files/gone.txt", "going\n");
  await scratch.write("files/moves.txt", "moving\n");
  await chmod(scratch.path("files/a.txt"), 0o640);
  await chmod(scratch.path("files/sub/run.sh"), 0o755);
  await chmod(scratch.path("files/gone.txt"), 0o600);
  await chmod(scratch.path("files/moves.txt"), 0o604);
  await symlink("sub/run.sh", scratch.path("files/link.sh"));
  const at = (name: string) => scratch.path("files", name);
  return [
    { path: at("a.txt"), before: CRLF, after: CRLF.replace("two", "zwei") },
    { path: at("link.sh"), before: SCRIPT, after: "#!/bin/sh\necho new\n" },
    { path: at("new/deep/made.txt"), before: undefined, after: "made — ünïcode\n" },
    { path: at("gone.txt"), before: "going\n", after: undefined },
    { path: at("moves.txt"), before: "moving\n", after: "moved\n", moveTo: at("new/moved.txt") },
  ];
}

export const BEFORE: Tree = {
  "a.txt": `640 ${CRLF}`,
  "gone.txt": "600 going\n",
  "link.sh": "-> sub/run.sh",
  "moves.txt": "604 moving\n",
  "sub/run.sh": `755 ${SCRIPT}`,
};

/** `mode`: of a new file, as the umask leaves it. */
export function afterTree(mode: string): Tree {
  return {
    "a.txt": `640 ${CRLF.replace("two", "zwei")}`,
    "link.sh": "-> sub/run.sh",
    "new/deep/made.txt": `${mode} made — ünïcode\n`,
    "new/moved.txt": "604 moved\n",
    "sub/run.sh": "755 #!/bin/sh\necho new\n",
  };
}

export async function newFileMode(scratch: ScratchDirectory): Promise<string> {
  const path = await scratch.write("probe", "");
  return ((await lstat(path)).mode & 0o777).toString(8);
}
