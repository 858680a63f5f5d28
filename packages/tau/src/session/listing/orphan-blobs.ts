// Images that no session refers to any more. Files are looked through as bytes: a reference
// is a reference, whatever line it stands in.

import { createReadStream } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { blobDirectory } from "../log/session-path.ts";
import type { SessionStore } from "../session-store.ts";

const REFERENCE = /blob:sha256:([0-9a-f]{64})/g;
const REFERENCE_CHARS = "blob:sha256:".length + 64;
/** A blob is written before the entry that refers to it: a young one may just be waiting. */
const YOUNG_MS = 60 * 60 * 1000;
/** Sessions of subagents lie among the artifacts of their parents, and so on. */
const MAX_DEPTH = 10;

export async function removeOrphanBlobs(
  store: SessionStore,
): Promise<{ removed: number; bytes: number }> {
  const directory = blobDirectory(store.agentDirectory);
  const names = await namesIn(directory);
  const used = names.length > 0 ? await usedBlobs(store.places.sessionsDirectory) : new Set();
  let removed = 0;
  let bytes = 0;
  for (const name of names) {
    if (used.has(name) || !/^[0-9a-f]{64}$/.test(name)) continue;
    const path = join(directory, name);
    const { size, mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs < YOUNG_MS) continue;
    await rm(path, { force: true });
    removed++;
    bytes += size;
  }
  return { removed, bytes };
}

async function usedBlobs(sessionsDirectory: string): Promise<Set<string>> {
  const used = new Set<string>();
  const directories = [{ path: sessionsDirectory, depth: 0 }];
  for (let next = directories.pop(); next; next = directories.pop()) {
    const { path: directory, depth } = next;
    for (const file of await readdir(directory, { withFileTypes: true }).catch(nothingThere)) {
      const path = join(directory, file.name);
      if (file.isDirectory() && depth < MAX_DEPTH) directories.push({ path, depth: depth + 1 });
      else if (file.name.includes(".jsonl") && file.isFile()) await collect(path, used);
    }
  }
  return used;
}

function nothingThere(error: unknown): never[] {
  const { code } = error as { code?: string };
  if (code === "ENOENT" || code === "ENOTDIR") return [];
  throw error;
}

async function collect(path: string, used: Set<string>): Promise<void> {
  let rest = "";
  for await (const chunk of createReadStream(path, { encoding: "latin1" })) {
    const text = rest + (chunk as string);
    for (const [, hash] of text.matchAll(REFERENCE)) used.add(hash!);
    rest = text.slice(-REFERENCE_CHARS);
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}
