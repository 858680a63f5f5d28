// The ways in which a database can refuse to be read or changed: callers act on the code,
// people and models read the sentence.

import { StorageError } from "../storage-error.ts";

export type DatabaseErrorCode =
  /** The file, the table, the column or the row is not there. */
  | "not_found"
  | "not_a_database"
  /** The file may not be read or written. */
  | "unreadable"
  /** The path behind the database, or a parameter in it, says nothing that can be done. */
  | "bad_selector"
  /** It would do more than read, or more than one thing. */
  | "refused"
  /** SQLite does not understand or cannot do what was asked. */
  | "sql"
  /** Another program is writing. */
  | "locked"
  | "too_slow"
  | "too_large"
  /** The content to write is not a row. */
  | "bad_row"
  /** The table cannot be addressed by one key, or not be written. */
  | "bad_table";

export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  readonly code: DatabaseErrorCode;

  constructor(code: DatabaseErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** SQLite's own words are one line, but may quote a whole query. */
const REASON_CHARS = 300;

/** Gives an error of SQLite or of the disk its type; anything else is a bug and comes back as it is. */
export function databaseError(error: unknown): unknown {
  if (error instanceof StorageError) {
    return new DatabaseError("unreadable", error.message, { cause: error });
  }
  if (!(error instanceof Error) || error.name !== "SQLiteError") return error;
  const code = String((error as { code?: unknown }).code ?? "");
  const reason = error.message.replace(/\s+/g, " ").slice(0, REASON_CHARS);
  const cause = { cause: error };
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) {
    return new DatabaseError(
      "locked",
      "Another program is using this database: wait for it to finish and try again.",
      cause,
    );
  }
  if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) {
    return new DatabaseError(
      "not_a_database",
      `The database is damaged (${reason}): restore it from a copy, or try sqlite3 with .recover.`,
      cause,
    );
  }
  if (/^SQLITE_(?:NOMEM|TOOBIG)/.test(code)) {
    return new DatabaseError(
      "too_large",
      `The answer is too large (${reason}): ask for fewer rows or columns.`,
      cause,
    );
  }
  if (code.startsWith("SQLITE_CONSTRAINT")) {
    return new DatabaseError(
      "bad_row",
      `The table does not take this row (${reason}): change the values.`,
      cause,
    );
  }
  if (/^SQLITE_(?:READONLY|PERM|CANTOPEN|IOERR|FULL)/.test(code)) {
    return new DatabaseError(
      "unreadable",
      `The database cannot be opened or written (${reason}): check its permissions and the disk.`,
      cause,
    );
  }
  return new DatabaseError("sql", `SQLite refuses this (${reason}): correct the query.`, cause);
}
