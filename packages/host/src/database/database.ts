// SQLite databases for reading by path and for writing row by row. All of it happens in a
// process of its own, which ends with the deadline: a query can run for ever, and so can a
// trigger.

import { dirname } from "node:path";
import type { ConfineReader } from "../sandbox/confine-reader.ts";
import { callConfined, type ConfinedEnd } from "../confined/confined-call.ts";
import type { DatabaseAnswer, DatabaseTask } from "./answer-database.ts";
import { DatabaseError, type DatabaseErrorCode } from "./database-error.ts";
import { parseDatabaseSelector, parseRowTarget } from "./database-selector.ts";
import type { RowWrite } from "./row-write.ts";

export interface DatabaseOptions {
  signal?: AbortSignal;
  deadlineMs?: number;
  /** See `ConfinedOptions`. */
  helper?: readonly string[];
  confineReader?: ConfineReader;
}

/** Most queries take milliseconds; after this a person would have given up. */
const DEADLINE_MS = 15_000;
/** Sorting and joining some hundred thousand rows. */
const MEMORY_BYTES = 512 * 1024 * 1024;

/** `selector` is what stands behind the file: `:table`, `:table:key`, `?q=…`; see there. */
export async function readDatabase(
  path: string,
  selector: string,
  options: DatabaseOptions = {},
): Promise<DatabaseAnswer> {
  const parsed = parseDatabaseSelector(selector);
  return (await ask({ action: "read", path, selector: parsed }, options)) as DatabaseAnswer;
}

/** `:table` inserts, `:table:key` updates, or deletes where the content is blank. */
export async function writeDatabase(
  path: string,
  selector: string,
  content: string,
  options: DatabaseOptions = {},
): Promise<RowWrite> {
  const target = parseRowTarget(selector);
  return (await ask({ action: "write", path, target, content }, options)) as RowWrite;
}

async function ask(input: DatabaseTask, options: DatabaseOptions): Promise<unknown> {
  const end = await callConfined(
    { task: "database", input },
    { deadlineMs: DEADLINE_MS, memoryBytes: MEMORY_BYTES, ...givenTo(input), ...options },
  );
  if (end.type === "done") return end.value;
  throw endError(end, options.deadlineMs ?? DEADLINE_MS);
}

/** What SQLite keeps beside a database. */
const SIDE_FILES = ["-wal", "-shm", "-journal"];

function givenTo({ action, path }: DatabaseTask): { reads: string[]; writes: string[] } {
  // It makes files beside the database while it writes.
  if (action === "write") return { reads: [], writes: [dirname(path)] };
  return { reads: [path, ...SIDE_FILES.map((suffix) => path + suffix)], writes: [] };
}

function endError(end: Exclude<ConfinedEnd, { type: "done" }>, deadlineMs: number): DatabaseError {
  switch (end.type) {
    case "failed":
      return new DatabaseError(end.code as DatabaseErrorCode, end.message);
    case "too_slow":
      return new DatabaseError(
        "too_slow",
        `The database did not answer within ${Math.round(deadlineMs / 1000)} s: ask for less, or use a column that has an index.`,
      );
    case "too_much_memory":
      return new DatabaseError(
        "too_large",
        "The answer takes too much memory: ask for fewer rows or columns.",
      );
    case "unavailable":
      return new DatabaseError(
        "unreadable",
        "No process could be started to read it: close some programs and try again.",
      );
    case "crashed":
      return new DatabaseError(
        "sql",
        "SQLite broke over this database: check it with sqlite3 and PRAGMA integrity_check.",
      );
  }
}
