// One directory, read without opening anything in it: names, kinds, and the bytes of names
// that are no UTF-8, by which alone such files can be reached.

import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { bytePath, isByteName, mayBeByteName, onDisk, pathBytes } from "./byte-path.ts";

export type EntryKind = "file" | "directory" | "link" | "other";

export interface ListedEntry {
  name: string;
  kind: EntryKind;
  /** Present if `name` has lost something, or is not to be taken by its word. */
  rawName?: Buffer;
}

export type DirectoryPath = string | Buffer;

export async function listDirectory(directory: DirectoryPath): Promise<ListedEntry[]> {
  const path = typeof directory === "string" ? onDisk(directory) : directory;
  const entries = await readdir(path, { withFileTypes: true });
  const listed = entries.map((entry): ListedEntry => ({ name: entry.name, kind: kindOf(entry) }));
  if (!listed.some(({ name }) => mayBeByteName(name))) return listed;
  const lost = await rawNames(path);
  return listed.map((entry) => {
    const rawName = lost.get(entry.name)?.shift();
    return rawName === undefined ? entry : { ...entry, rawName };
  });
}

/** Several names may look alike once decoded; which is which does not matter then. */
async function rawNames(path: DirectoryPath): Promise<Map<string, Buffer[]>> {
  const names: readonly Buffer[] = await readdir(path, { encoding: "buffer" });
  const lost = names.filter((name) => isByteName(bytePath(name)));
  return Map.groupBy(lost, (name) => name.toString("utf8"));
}

function kindOf(entry: Dirent): EntryKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "other";
}

export function childPath(parent: DirectoryPath, entry: ListedEntry): DirectoryPath {
  if (entry.rawName === undefined && typeof parent === "string") {
    return parent.endsWith("/") ? `${parent}${entry.name}` : `${parent}/${entry.name}`;
  }
  return Buffer.concat([
    typeof parent === "string" ? pathBytes(parent) : parent,
    Buffer.from("/"),
    entry.rawName ?? Buffer.from(entry.name),
  ]);
}
