// What interrupted work left beside sessions: artifacts of a session that is gone or never came
// to be, locks without a session, unfinished files. Only what is old enough is taken for left
// behind: something young may be somebody's work.

import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isTemporaryName } from "@tau/host/replace-file";

/** A copy of the largest session takes minutes. */
const YOUNG_MS = 60 * 60 * 1000;

export async function removeLeftovers(sessionsDirectory: string, now: number): Promise<number> {
  let removed = 0;
  for (const project of await namesIn(sessionsDirectory)) {
    const directory = join(sessionsDirectory, project);
    const names = await namesIn(directory);
    for (const name of leftoversAmong(names)) {
      const path = join(directory, name);
      const stat = await lstat(path).catch(goneMeanwhile);
      if (!stat || now - stat.mtimeMs < YOUNG_MS) continue;
      await rm(path, { recursive: true, force: true });
      removed += 1;
    }
  }
  return removed;
}

export function leftoversAmong(names: readonly string[]): string[] {
  const sessions = names.filter((name) => name.endsWith(".jsonl"));
  return names.filter((name) => {
    if (isTemporaryName(name)) return true;
    const locked = /^(.+\.jsonl)(?:\.lock(?:\..*)?|\.damaged)$/.exec(name)?.[1];
    if (locked !== undefined) return !sessions.includes(locked);
    // A successor or a recovery still speaks of what its original had beside it.
    return isArtifacts(name) && !sessions.some((session) => session.startsWith(`${name}.`));
  });
}

/** By its name, which is a session's: anything else that lies there is not ours. */
function isArtifacts(name: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d-]+Z_[^.]+(?:\.[a-z0-9-]+)?$/.test(name);
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

function goneMeanwhile(error: unknown): undefined {
  if ((error as { code?: string }).code === "ENOENT") return undefined;
  throw error;
}
