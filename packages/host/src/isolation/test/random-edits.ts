// Random work on a tree: files, programs, links, names of every kind, directories in the place of files and the other
// way round.

import { chmod, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import fc from "fast-check";
import { bytePath, onDisk } from "../../walk/byte-path.ts";
import { entryAt } from "../in-the-way.ts";

const NAMES = [
  "a",
  "b.txt",
  "d",
  "d/a",
  "d/b.txt",
  "d/e/c",
  "x y",
  "-n",
  'ü/\n\t"q"',
  bytePath(Buffer.from("caf\xe9", "latin1")),
];
const LINE_COUNT = 12;

export type Edit =
  | { kind: "write"; path: string; content: string }
  | { kind: "line"; path: string; at: number; word: string }
  | { kind: "remove"; path: string }
  | { kind: "program"; path: string; isOne: boolean }
  | { kind: "link"; path: string; to: string }
  | { kind: "rename"; path: string; to: string };

const path = fc.constantFrom(...NAMES);
const lines = (word: string): string =>
  Array.from({ length: LINE_COUNT }, (_, at) => `${word} ${at}\n`).join("");
const content = fc.oneof(
  fc.constantFrom("one", "two").map(lines),
  fc.constantFrom("", "\0\xff\0binary", "no end", "crlf\r\ncrlf\r\n"),
);

export const edits = (maxLength: number): fc.Arbitrary<Edit[]> =>
  fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant("write" as const), path, content }),
      fc.record({
        kind: fc.constant("line" as const),
        path,
        at: fc.nat(LINE_COUNT - 1),
        word: fc.constantFrom("red", "blue"),
      }),
      fc.record({ kind: fc.constant("remove" as const), path }),
      fc.record({ kind: fc.constant("program" as const), path, isOne: fc.boolean() }),
      fc.record({ kind: fc.constant("link" as const), path, to: fc.constantFrom("a", "nowhere") }),
      fc.record({ kind: fc.constant("rename" as const), path, to: path }),
    ),
    { maxLength },
  );

export async function perform(root: string, edit: Edit): Promise<void> {
  const at = `${root}/${edit.path}`;
  const entry = await entryAt(at);
  switch (edit.kind) {
    case "write":
      await clear(root, edit.path);
      await writeFile(onDisk(at), Buffer.from(edit.content, "latin1"));
      return;
    case "line": {
      if (!entry?.isFile()) return;
      const before = (await readFile(onDisk(at), "latin1")).split("\n");
      if (edit.at < before.length) before[edit.at] = edit.word;
      // In place: what shares bytes with another tree would show it there.
      await writeFile(onDisk(at), Buffer.from(before.join("\n"), "latin1"), { flag: "r+" });
      return;
    }
    case "remove":
      if (entry) await rm(onDisk(at), { recursive: true });
      return;
    case "program":
      if (entry?.isFile()) await chmod(onDisk(at), edit.isOne ? 0o755 : 0o644);
      return;
    case "link":
      await clear(root, edit.path);
      await symlink(edit.to, onDisk(at));
      return;
    case "rename": {
      if (!entry?.isFile() || edit.to.startsWith(`${edit.path}/`)) return;
      if (edit.path.startsWith(`${edit.to}/`) || edit.to === edit.path) return;
      await clear(root, edit.to);
      await rename(onDisk(at), onDisk(`${root}/${edit.to}`));
    }
  }
}

/** So that something can be put there: no file is above it, nothing is at it. */
async function clear(root: string, name: string): Promise<void> {
  for (let above = dirname(name); above !== "."; above = dirname(above)) {
    const entry = await entryAt(`${root}/${above}`);
    if (entry && !entry.isDirectory()) await rm(onDisk(`${root}/${above}`));
  }
  await mkdir(onDisk(`${root}/${dirname(name)}`), { recursive: true });
  await rm(onDisk(`${root}/${name}`), { recursive: true, force: true });
}
