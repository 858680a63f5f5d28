// Who a directory below the place for isolated trees belongs to, so that the next start can tell what a process left
// that died, and take it away: a tree, or a merge that was not finished.

import { existsSync } from "node:fs";
import { chmod, lstat, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemProcesses, type ProcessIdentity } from "../lock/process-identity.ts";
import type { Holder } from "./overlay.ts";
import { readIfThere } from "../process/process-tree.ts";
import { systemCode } from "../storage-error.ts";

const RECORD = "owner.json";

export interface TreeRecord {
  kind: "tree" | "merge";
  owner: ProcessIdentity;
  /** Of a tree: whom it was made from. Of a merge: whom it goes to. */
  parent: string;
  /** Of a tree that is an overlay. */
  holder?: Holder;
  /** Of a merge that writes: from and to which tree. */
  before?: string;
  after?: string;
}

/** The same for all: asking who one is takes reading. */
export const processes = systemProcesses();

/** The directory, new and with its record. */
export async function ownDirectory(
  directory: string,
  record: Omit<TreeRecord, "owner">,
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeRecord(directory, record);
}

export async function writeRecord(
  directory: string,
  record: Omit<TreeRecord, "owner">,
): Promise<void> {
  const owner = await processes.self();
  await writeFile(join(directory, RECORD), JSON.stringify({ ...record, owner }));
}

/** Undefined if it has none, or one that was torn. */
export function readRecord(directory: string): TreeRecord | undefined {
  const text = readIfThere(join(directory, RECORD));
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as TreeRecord;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** What still writes is being ended, and may take a moment. */
const REMOVE_ROUNDS = 40;
const REMOVE_PAUSE_MS = 50;

/** With all that is in it, also what an overlay or a build has made unreadable. */
export async function removeDirectory(directory: string): Promise<void> {
  for (let round = 1; ; round++) {
    try {
      await rm(directory, { recursive: true, force: true });
      // Seen with Bun 1.4, while a git that was being ended still wrote there: it resolves, and all of it is there.
      if (!existsSync(directory) || round === REMOVE_ROUNDS) return;
      await Bun.sleep(REMOVE_PAUSE_MS);
    } catch (error) {
      const code = systemCode(error);
      if (code === undefined || round === REMOVE_ROUNDS) throw error;
      if (code === "EACCES" || code === "EPERM") await makeRemovable(Buffer.from(directory));
      else await Bun.sleep(REMOVE_PAUSE_MS);
    }
  }
}

async function makeRemovable(path: Buffer): Promise<void> {
  await chmod(path, 0o700);
  for (const name of await readdir(path, { encoding: "buffer" })) {
    const inner = Buffer.concat([path, Buffer.from("/"), name]);
    if ((await lstat(inner)).isDirectory()) await makeRemovable(inner);
  }
}
