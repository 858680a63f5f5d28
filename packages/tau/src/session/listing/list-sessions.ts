// The sessions of one directory, or of all, newest first. A file that cannot be read is
// passed over: it must not hide the others.

import { readdir } from "node:fs/promises";
import { accessSync, constants, statSync } from "node:fs";
import { basename, join } from "node:path";
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

export interface Survey {
  sessions: SessionInfo[];
  /** Files with the name of a session that hold something and do not begin as one; newest first. */
  damaged: DamagedSession[];
}

export interface DamagedSession {
  path: string;
  modifiedAt: number;
}

export async function surveySessions(directory: string): Promise<Survey> {
  return survey(await filesIn(directory));
}

/** As Tau names them: a time and an id. */
const SESSION_NAME = /^\d{4}-\d\d-\d\dT[\d-]+Z_[\w-]+\.jsonl$/;

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
  return (await survey(paths)).sessions;
}

async function survey(paths: readonly string[]): Promise<Survey> {
  const sessions: SessionInfo[] = [];
  const damaged: DamagedSession[] = [];
  const queue = [...paths];
  const work = async (): Promise<void> => {
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      const found = await readSessionInfo(path).catch((error: unknown) => {
        // Forbidden, or gone since.
        if (typeof (error as { code?: unknown }).code === "string") return undefined;
        throw error;
      });
      if (found) sessions.push(found);
      else if (SESSION_NAME.test(basename(path))) damaged.push(...damagedFile(path));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return { sessions: newestFirst(sessions), damaged: newestFirst(damaged) };
}

/** What is empty holds nothing to save; what is no file, or forbidden, is not damaged. */
function damagedFile(path: string): DamagedSession[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size === 0 || !isReadable(path)) return [];
  return [{ path, modifiedAt: stat.mtimeMs }];
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === "string") return false;
    throw error;
  }
}

function newestFirst<T extends DamagedSession>(files: readonly T[]): T[] {
  return files.toSorted((a, b) => b.modifiedAt - a.modifiedAt || (a.path < b.path ? 1 : -1));
}
