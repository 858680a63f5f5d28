// What a lock file says, and how one comes into being: whole or not at all, and for one
// process only. Older versions of Tau read and write the same records: members may be added,
// never taken away.

import type { WriteOptions } from "../append-file.ts";
import { NO_LINKS } from "../publish-file.ts";
import { removeIfPossible } from "../remove-if-possible.ts";
import { temporaryPathFor } from "../replace-file.ts";
import type { Storage } from "../storage.ts";
import { StorageError } from "../storage-error.ts";
import type { ProcessIdentity } from "./process-identity.ts";

export interface LockRecord extends ProcessIdentity {
  /** ISO 8601. */
  since: string;
  /** Tells this lock from any other, also of the same process. */
  token: string;
}

const MAX_RECORD_BYTES = 4096;

export function encodeRecord(record: LockRecord): Uint8Array {
  return Buffer.from(`${JSON.stringify(record)}\n`);
}

/** False where the name is taken. */
export async function createRecord(
  storage: Storage,
  path: string,
  record: LockRecord,
  point: WriteOptions,
): Promise<boolean> {
  const bytes = encodeRecord(record);
  const temporary = temporaryPathFor(path);
  await storage.createExclusive(temporary, bytes, point);
  try {
    // A link appears with its whole content; creating under the name itself would show
    // others an empty lock for a moment, and a torn one after a crash.
    return (
      (await isFree(() => storage.link(temporary, path, point), NO_LINKS)) ??
      (await isFree(() => storage.createExclusive(path, bytes, point))) ??
      false
    );
  } finally {
    await removeIfPossible(storage, temporary, point);
  }
}

/** Whether the name was free; undefined if it failed with one of these codes. */
async function isFree(
  take: () => Promise<void>,
  impossible: ReadonlySet<string> = new Set(),
): Promise<boolean | undefined> {
  try {
    await take();
    return true;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (error.code === "EEXIST") return false;
    if (impossible.has(error.code)) return undefined;
    throw error;
  }
}

/** "torn" where it is there but says nothing; undefined where nothing is there. */
export async function readRecord(
  storage: Storage,
  path: string,
): Promise<LockRecord | "torn" | undefined> {
  try {
    const stat = await storage.stat(path);
    // A pipe would keep whoever reads it waiting for ever.
    if (stat && stat.kind !== "file" && stat.kind !== "directory") return "torn";
    const bytes = await storage.read(path, { length: MAX_RECORD_BYTES });
    return decodeRecord(new TextDecoder().decode(bytes)) ?? "torn";
  } catch (error) {
    if (error instanceof StorageError && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function decodeRecord(text: string): LockRecord | undefined {
  try {
    const value = JSON.parse(text) as Partial<LockRecord> | null;
    const { pid, host, since, token } = value ?? {};
    const isWhole =
      Number.isInteger(pid) &&
      pid! > 0 &&
      typeof host === "string" &&
      typeof since === "string" &&
      typeof token === "string";
    return isWhole ? (value as LockRecord) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
