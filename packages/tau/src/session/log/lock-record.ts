// What a lock file says, and how one comes into being: whole or not at all, and for one
// process only.

import { temporaryPathFor } from "@tau/host/replace-file";
import type { Storage } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";
import { isRecord, parseObject } from "./line.ts";
import type { ProcessIdentity } from "./process-identity.ts";
import { NO_LINKS } from "../../base/publish-file.ts";
import { removeIfPossible } from "./remove-if-possible.ts";

export interface LockRecord extends ProcessIdentity {
  /** ISO 8601. */
  since: string;
  /** Tells this lock from any other, also of the same process. */
  token: string;
}

const LOCK = { point: "session.lock" };
const MAX_RECORD_BYTES = 4096;

export function encodeRecord(record: LockRecord): Uint8Array {
  return Buffer.from(`${JSON.stringify(record)}\n`);
}

/** False where the name is taken. */
export async function createRecord(
  storage: Storage,
  path: string,
  record: LockRecord,
): Promise<boolean> {
  const bytes = encodeRecord(record);
  const temporary = temporaryPathFor(path);
  await storage.createExclusive(temporary, bytes, LOCK);
  try {
    return await publish(storage, temporary, path, bytes);
  } finally {
    await removeIfPossible(storage, temporary, LOCK);
  }
}

async function publish(
  storage: Storage,
  temporary: string,
  path: string,
  bytes: Uint8Array,
): Promise<boolean> {
  try {
    // A link appears with its whole content; creating under the name itself would show
    // others an empty lock for a moment, and a torn one after a crash.
    await storage.link(temporary, path, LOCK);
    return true;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (error.code === "EEXIST") return false;
    if (!NO_LINKS.has(error.code)) throw error;
    return await createDirectly(storage, path, bytes);
  }
}

async function createDirectly(storage: Storage, path: string, bytes: Uint8Array): Promise<boolean> {
  try {
    await storage.createExclusive(path, bytes, LOCK);
    return true;
  } catch (error) {
    if (error instanceof StorageError && error.code === "EEXIST") return false;
    throw error;
  }
}

/** "torn" where it is there but says nothing; undefined where nothing is there. */
export async function readRecord(
  storage: Storage,
  path: string,
): Promise<LockRecord | "torn" | undefined> {
  try {
    const bytes = await storage.read(path, { length: MAX_RECORD_BYTES });
    const value = parseObject(new TextDecoder().decode(bytes));
    return value && isRecordShaped(value) ? value : "torn";
  } catch (error) {
    if (error instanceof StorageError && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function isRecordShaped(
  value: Record<string, unknown>,
): value is Record<string, unknown> & LockRecord {
  const { pid, host, since, token } = value;
  return (
    isRecord(value) &&
    Number.isInteger(pid) &&
    typeof host === "string" &&
    typeof since === "string" &&
    typeof token === "string"
  );
}
