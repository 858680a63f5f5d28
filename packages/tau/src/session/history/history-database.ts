// The file of earlier prompts: opened privately, brought to this version's tables, and moved
// aside where it is damaged. It is a convenience: whatever is wrong with it is told and costs
// no prompt.

import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { Database, SQLiteError } from "bun:sqlite";
import { useWriteAhead } from "../../config/write-ahead.ts";

const SCHEMA_VERSION = 1;
/** Writing a prompt takes a millisecond; who waits longer tries again later. */
const BUSY_TIMEOUT_MS = 250;
const OPEN_ATTEMPTS = 20;
const OPEN_PAUSE_MS = 50;
const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;

const DAMAGED: ReadonlySet<string> = new Set(["SQLITE_CORRUPT", "SQLITE_NOTADB"]);
const BUSY = /^SQLITE_(?:BUSY|LOCKED)/;

export interface OpenedDatabase {
  /** Undefined where there is no history to be had. */
  database: Database | undefined;
  /** A sentence for people, where something was wrong. */
  warning?: string;
}

export function isDamage(error: unknown): boolean {
  return error instanceof SQLiteError && DAMAGED.has(error.code ?? "");
}

export function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && BUSY.test(error.code ?? "");
}

export function openDatabase(path: string): OpenedDatabase {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return openHere(path);
    } catch (error) {
      // Several processes that make the file at once get in one another's way for a moment.
      if (isBusy(error) && attempt < OPEN_ATTEMPTS) Bun.sleepSync(OPEN_PAUSE_MS * Math.random());
      else return isDamage(error) ? startOver(path) : unusable(path, error);
    }
  }
}

/** A damaged file is kept aside: somebody may want to look at it. */
export function startOver(path: string): OpenedDatabase {
  const aside = `${path}.damaged-${Date.now()}`;
  try {
    for (const part of ["", "-wal", "-shm"]) moveIfThere(path + part, aside + part);
    const opened = openHere(path);
    const warning = `${path} was damaged; it was moved to ${aside}, and a new prompt history was started.`;
    return opened.database ? { ...opened, warning } : opened;
  } catch (error) {
    return unusable(path, error);
  }
}

function moveIfThere(from: string, to: string): void {
  try {
    if (existsSync(from)) renameSync(from, to);
  } catch (error) {
    // Another process was faster.
    if ((error as { code?: string }).code !== "ENOENT") throw error;
  }
}

function unusable(path: string, error: unknown): OpenedDatabase {
  if (!(error instanceof Error && "code" in error)) throw error;
  const warning = `${path} cannot be used (${error.message}); prompts are not saved. Check the file and its directory.`;
  return { database: undefined, warning };
}

function openHere(path: string): OpenedDatabase {
  createPrivately(path);
  const database = new Database(path, { create: true, strict: true });
  try {
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    const version = versionOf(database);
    if (version > SCHEMA_VERSION) {
      database.close();
      const warning = `${path} was written by a newer version (${version}) and is not used; update Tau to see its prompts.`;
      return { database: undefined, warning };
    }
    useWriteAhead(database);
    // The newest prompt may be lost to a power cut; its session has it.
    database.run("PRAGMA synchronous = NORMAL");
    if (version < SCHEMA_VERSION) createTables(database);
    return { database };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite gives its other files the permissions of this one. */
function createPrivately(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_DIRECTORY });
  if (existsSync(path)) return;
  closeSync(openSync(path, "a", PRIVATE_FILE));
  chmodSync(path, PRIVATE_FILE);
}

function versionOf(database: Database): number {
  const row = database.query<{ user_version: number }, []>("PRAGMA user_version").get();
  return row?.user_version ?? 0;
}

function createTables(database: Database): void {
  // Looked at again inside: of two that start at once, one makes the tables.
  database
    .transaction(() => {
      if (versionOf(database) >= SCHEMA_VERSION) return;
      database.run(`CREATE TABLE history (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        prompt TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        cwd TEXT NOT NULL,
        session_id TEXT NOT NULL
      ) STRICT`);
      database.run("CREATE INDEX history_cwd ON history (cwd, id)");
      database.run(
        "CREATE VIRTUAL TABLE history_fts USING fts5(prompt, content='history', content_rowid='id', tokenize='unicode61 remove_diacritics 2')",
      );
      database.run(`CREATE TRIGGER history_added AFTER INSERT ON history BEGIN
        INSERT INTO history_fts (rowid, prompt) VALUES (new.id, new.prompt);
      END`);
      database.run(`CREATE TRIGGER history_removed AFTER DELETE ON history BEGIN
        INSERT INTO history_fts (history_fts, rowid, prompt) VALUES ('delete', old.id, old.prompt);
      END`);
      database.run(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    })
    .immediate();
}
