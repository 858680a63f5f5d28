// Takes away what a process left that died: trees with the processes that hold their mounts, and merges that were
// not finished, which are undone if they were half written. What a living process owns is left alone.

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { processesWithMark, signalProcess, startTimeOf } from "../process/process-tree.ts";
import { systemCode } from "../storage-error.ts";
import { LOCKS, OWN_GIT } from "./merge-room.ts";
import type { Holder } from "./overlay.ts";
import { OwnGit } from "./own-git.ts";
import { processes, readRecord, removeDirectory, type TreeRecord } from "./tree-record.ts";
import { undoHalf } from "./write-tree.ts";

/** A directory without a record is one that is just being made, or was when its owner died. */
const UNRECORDED_MS = 60_000;

const POLL_MS = 20;
/** Ten seconds. */
const WRITING_ROUNDS = 500;

/** The names of what was removed. */
export async function tidyIsolation(
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const tidied: string[] = [];
  for (const name of await namesIn(directory)) {
    if (name === LOCKS) continue;
    const path = join(directory, name);
    const record = readRecord(path);
    if (!(await isLeft(path, record))) continue;
    if (record?.kind === "merge") await finishMerge(path, record, env);
    if (record?.holder) endHolder(record.holder);
    await removeDirectory(path);
    tidied.push(name);
  }
  return tidied;
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

async function isLeft(path: string, record: TreeRecord | undefined): Promise<boolean> {
  if (record) return (await processes.stateOf(record.owner)) === "gone";
  return Date.now() - (await stat(path)).mtimeMs > UNRECORDED_MS;
}

async function finishMerge(
  path: string,
  { parent, before, after }: TreeRecord,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (before === undefined || after === undefined) return;
  // What has begun to write outlives Tau by a moment.
  const isWriting = (): boolean => processesWithMark(`GIT_DIR=${join(path, OWN_GIT)}`).length > 0;
  for (let round = 0; round < WRITING_ROUNDS && isWriting(); round++) await Bun.sleep(POLL_MS);
  await undoHalf(OwnGit.open(join(path, OWN_GIT), env), { root: parent, before, after });
}

/** It ends with Tau by itself; one that somebody has stopped cannot. */
function endHolder({ pid, start }: Holder): void {
  if (startTimeOf(pid) === start) signalProcess(pid, "SIGKILL");
}
