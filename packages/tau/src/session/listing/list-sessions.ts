// The sessions of one directory, or of all, newest first. A file that cannot be read is
// passed over: it must not hide the others.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readSessionInfo, type SessionInfo } from "./session-info.ts";

/** More at once only makes a disk seek. */
const PARALLEL = 16;

export async function listSessions(directory: string): Promise<SessionInfo[]> {
  return readAll(await filesIn(directory));
}

/** Across all projects. */
export async function listAllSessions(sessionsDirectory: string): Promise<SessionInfo[]> {
  const folders = await entriesOf(sessionsDirectory);
  const files = await Promise.all(folders.map((name) => filesIn(join(sessionsDirectory, name))));
  return readAll(files.flat());
}

async function filesIn(directory: string): Promise<string[]> {
  const names = await entriesOf(directory);
  return names.filter((name) => name.endsWith(".jsonl")).map((name) => join(directory, name));
}

async function entriesOf(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES") return [];
    throw error;
  }
}

async function readAll(paths: readonly string[]): Promise<SessionInfo[]> {
  const found: SessionInfo[] = [];
  const queue = [...paths];
  const work = async (): Promise<void> => {
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      const info = await readSessionInfo(path).catch((error: unknown) => {
        if (typeof (error as { code?: unknown }).code === "string") return undefined;
        throw error;
      });
      if (info) found.push(info);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return found.toSorted((a, b) => b.modifiedAt - a.modifiedAt || (a.path < b.path ? 1 : -1));
}
