// Which models servers were found to have, kept between runs, so that starting asks no
// network. It is a cache: whatever is wrong with the file, Tau goes on without it.

import { Database, SQLiteError, type Statement } from "bun:sqlite";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { DiscoveredModel } from "@tau/ai/discovery/discovered-model";
import type { ConfigProblem } from "../base/config-problem.ts";
import { useWriteAhead } from "../config/write-ahead.ts";

const FILE_NAME = "models.db";

/** Raised whenever what a row means changes; a file of another version is emptied. */
const SCHEMA_VERSION = 1;

/** Another Tau may be writing its row; a row takes far less. */
const BUSY_TIMEOUT_MS = 5_000;

const DAMAGED = new Set(["SQLITE_CORRUPT", "SQLITE_NOTADB"]);

export interface CachedDiscovery {
  models: readonly DiscoveredModel[];
  /** Milliseconds since the epoch. */
  fetchedAt: number;
  /** Of the built-in models that they were put beside. */
  staticHash: string;
}

interface Row {
  models: string;
  fetched_at: number;
  static_hash: string;
}

export class DiscoveryCache implements Disposable {
  readonly #file: string;
  readonly #problems: ConfigProblem[] = [];
  #database: Database;

  /** `agentDirectory` is made where it is missing. */
  constructor(agentDirectory: string) {
    this.#file = join(agentDirectory, FILE_NAME);
    this.#database = this.#open(agentDirectory);
  }

  /** What went wrong with the file, for the user to know. */
  get problems(): readonly ConfigProblem[] {
    return this.#problems;
  }

  /** Undefined where nothing is known; how old it may be is the caller's to say. */
  get(provider: string): CachedDiscovery | undefined {
    const row = this.#run((database) =>
      prepare<Row>(
        database,
        "SELECT models, fetched_at, static_hash FROM discovered WHERE provider = ?",
      ).get(provider),
    );
    const models = row && parseModels(row.models);
    return row && models
      ? { models, fetchedAt: row.fetched_at, staticHash: row.static_hash }
      : undefined;
  }

  put(provider: string, found: CachedDiscovery): void {
    const { models, fetchedAt, staticHash } = found;
    this.#run((database) =>
      prepare(
        database,
        `INSERT INTO discovered (provider, models, fetched_at, static_hash) VALUES (?, ?, ?, ?)
         ON CONFLICT (provider) DO UPDATE SET models = excluded.models,
           fetched_at = excluded.fetched_at, static_hash = excluded.static_hash`,
      ).run(provider, JSON.stringify(models), fetchedAt, staticHash),
    );
  }

  forget(provider: string): void {
    this.#run((database) =>
      prepare(database, "DELETE FROM discovered WHERE provider = ?").run(provider),
    );
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #run<T>(work: (database: Database) => T): T | undefined {
    try {
      return work(this.#database);
    } catch (error) {
      if (!(error instanceof SQLiteError)) throw error;
      if (isDamage(error)) {
        this.#database.close();
        this.#database = this.#startOver();
      } else this.#report(`cannot be used now (${error.message})`);
      return undefined;
    }
  }

  #open(directory: string): Database {
    try {
      mkdirSync(directory, { recursive: true });
      return openFile(this.#file);
    } catch (error) {
      if (isDamage(error)) return this.#startOver();
      const why = error instanceof Error ? error.message : String(error);
      this.#report(`cannot be used (${why}); discovered models are not kept`);
      return inMemory();
    }
  }

  /** The damaged file is kept aside: it may be a sign of a damaged disk. */
  #startOver(): Database {
    const aside = `${this.#file}.damaged-${Date.now()}`;
    try {
      for (const part of ["", "-wal", "-shm"]) {
        if (existsSync(this.#file + part)) renameSync(this.#file + part, aside + part);
      }
      const database = openFile(this.#file);
      this.#report(`was damaged; it was moved to ${aside} and a new one started`);
      return database;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#report(`is damaged and cannot be replaced (${why}); discovered models are not kept`);
      return inMemory();
    }
  }

  #report(message: string): void {
    this.#problems.push({ file: this.#file, message, severity: "warning" });
  }
}

function openFile(file: string): Database {
  const database = new Database(file, { create: true });
  try {
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    useWriteAhead(database);
    // Losing the newest row to a power cut costs one more request.
    database.run("PRAGMA synchronous = NORMAL");
    prepareTable(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function inMemory(): Database {
  const database = new Database(":memory:");
  prepareTable(database);
  return database;
}

function prepareTable(database: Database): void {
  if (versionOf(database) === SCHEMA_VERSION) return;
  // Looked at again inside: two may start at once, and only one of them empties.
  database
    .transaction(() => {
      if (versionOf(database) === SCHEMA_VERSION) return;
      database.run("DROP TABLE IF EXISTS discovered");
      database.run(`CREATE TABLE discovered (
        provider TEXT PRIMARY KEY,
        models TEXT NOT NULL,
        fetched_at INTEGER NOT NULL,
        static_hash TEXT NOT NULL
      ) STRICT`);
      database.run(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    })
    .immediate();
}

function versionOf(database: Database): number | undefined {
  return database.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version;
}

function prepare<R>(database: Database, sql: string): Statement<R, (string | number)[]> {
  return database.query<R, (string | number)[]>(sql);
}

function isDamage(error: unknown): boolean {
  return error instanceof SQLiteError && DAMAGED.has(error.code ?? "");
}

function parseModels(text: string): DiscoveredModel[] | undefined {
  try {
    const models: unknown = JSON.parse(text);
    return Array.isArray(models) ? (models as DiscoveredModel[]) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
