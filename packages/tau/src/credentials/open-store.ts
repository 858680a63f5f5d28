// The credential store of this user, opened when something is to be read or written: a
// start without stored credentials touches no database.

import type { Environment } from "@tau/ai/environment";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../config/places.ts";
import { UserError } from "../user-error.ts";
import type { CredentialStore } from "./credential-store.ts";

const STORE_FILE = "agent.db";

export function storePath(env: Environment): string {
  return join(agentDirectory(env), STORE_FILE);
}

/** Undefined where nothing has been stored yet. */
export async function openStore(env: Environment): Promise<CredentialStore | undefined> {
  return existsSync(storePath(env)) ? createStore(env) : undefined;
}

/** For whoever has something to write. */
export async function createStore(env: Environment): Promise<CredentialStore> {
  const { CredentialStore, StoreTooNew } = await import("./credential-store.ts");
  const path = storePath(env);
  try {
    return new CredentialStore(path);
  } catch (error) {
    if (error instanceof StoreTooNew) throw new UserError(error.message);
    const why = WHY_NOT[(error as { code?: string }).code ?? ""];
    if (why === undefined) throw error;
    throw new UserError(`${path} ${why}`);
  }
}

/**
 * Overwrites what was deleted: SQLite only marks it as free. False where somebody else is
 * using the store, so that it has to wait for the next time.
 */
export async function scrubStore(env: Environment): Promise<boolean> {
  const { Database } = await import("bun:sqlite");
  using database = new Database(storePath(env), { strict: true });
  try {
    database.run("VACUUM");
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === "SQLITE_BUSY") return false;
    throw error;
  }
}

const WHY_NOT: Readonly<Record<string, string>> = {
  SQLITE_NOTADB: "is not a credential store; move it away and log in again",
  SQLITE_CORRUPT: "is damaged; move it away and log in again",
  SQLITE_CANTOPEN: "cannot be opened; check the directory and its permissions",
  SQLITE_READONLY: "is not writable; check its permissions",
  EACCES: "may not be opened; check its permissions",
  EPERM: "may not be opened; check whose file it is",
  EROFS: "is on a file system that may not be written",
  ENOTDIR: "cannot be created: a part of its path is not a directory",
  EEXIST: "cannot be created: a part of its path is not a directory",
  EISDIR: "is a directory; move it away",
  ENOSPC: "cannot be written: the disk is full",
};
