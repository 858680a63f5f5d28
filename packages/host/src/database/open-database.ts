// Opens a database so that nothing of it or around it changes: read-only, and without the side
// files that SQLite makes for a database with a write-ahead log.

import { open, stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { Database } from "bun:sqlite";
import { attempt, systemCode } from "../storage-error.ts";
import { DatabaseError } from "./database-error.ts";
import { isDatabaseFile } from "./database-path.ts";

/** Another program's write takes milliseconds; what takes longer is not worth a wait. */
const BUSY_TIMEOUT_MS = 3000;
const JOURNAL_FIELD_AT = 18;
const WRITE_AHEAD = 2;

export async function openForReading(path: string): Promise<Database> {
  await assertDatabase(path);
  const { Database, constants } = await import("bun:sqlite");
  const database = (await isSettled(path))
    ? new Database(
        `${pathToFileURL(path).href}?immutable=1`,
        constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
      )
    : new Database(path, { readonly: true, strict: true });
  for (const pragma of [
    `busy_timeout = ${BUSY_TIMEOUT_MS}`,
    "query_only = ON",
    // Views and generated columns of a database from anywhere must not call functions that act.
    "trusted_schema = OFF",
    "cell_size_check = ON",
    // A sort of any size stays in this process, whose memory is watched.
    "temp_store = MEMORY",
  ]) {
    database.run(`PRAGMA ${pragma}`);
  }
  return database;
}

export async function openForWriting(path: string): Promise<Database> {
  await assertDatabase(path);
  const { Database } = await import("bun:sqlite");
  const database = new Database(path, { readwrite: true, create: false, strict: true });
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  // What the tables say of one another holds for rows that are written here too.
  database.run("PRAGMA foreign_keys = ON");
  return database;
}

async function assertDatabase(path: string): Promise<void> {
  const found = await isDatabaseFile(path);
  if (found) return;
  throw found === undefined
    ? new DatabaseError(
        "not_found",
        `There is no database ${path}: check the path, or make it with sqlite3.`,
      )
    : new DatabaseError("not_a_database", `${path} is not an SQLite database: read it as a file.`);
}

/**
 * With a write-ahead log that is not there: nobody has the database open, and all of it is in
 * the file. Opened as usual, it would get a log and an index of it even for reading.
 */
function isSettled(path: string): Promise<boolean> {
  return attempt("open", path, async () => {
    await using file = await open(path, "r");
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, JOURNAL_FIELD_AT);
    if (buffer[0] !== WRITE_AHEAD && buffer[1] !== WRITE_AHEAD) return false;
    try {
      await stat(`${path}-wal`);
      return false;
    } catch (error) {
      if (systemCode(error) === "ENOENT") return true;
      throw error;
    }
  });
}
