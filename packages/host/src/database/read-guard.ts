// Lets a statement through only if all it can do is read this database. The connection is
// read-only anyway, but that alone does not stop ATTACH, VACUUM INTO or a PRAGMA that lifts
// the protection; there is no authorizer to be had. So: one statement, of a kind that reads,
// which SQLite itself calls read-only, and whose program has no instruction that does more.

import type { Database } from "bun:sqlite";
import { DatabaseError } from "./database-error.ts";
import { sqlTokens, type SqlToken } from "./sql-tokens.ts";

const READING: ReadonlySet<string> = new Set(["SELECT", "WITH", "VALUES"]);

/** Pragmas that only tell something, as long as nothing is assigned. */
const TELLING_PRAGMAS: ReadonlySet<string> = new Set([
  "application_id",
  "collation_list",
  "compile_options",
  "database_list",
  "encoding",
  "foreign_key_check",
  "foreign_key_list",
  "freelist_count",
  "function_list",
  "index_info",
  "index_list",
  "index_xinfo",
  "integrity_check",
  "module_list",
  "page_count",
  "page_size",
  "quick_check",
  "schema_version",
  "table_info",
  "table_list",
  "table_xinfo",
  "user_version",
]);
/** Of these the argument is the name of what they tell about; elsewhere it would be a value. */
const WITH_ARGUMENT = /^(?:foreign_key_|index_|integrity_|quick_|table_)/;

/** Instructions of SQLite's machine that change something beyond the query itself. */
const CHANGING: ReadonlySet<string> = new Set([
  "OpenWrite",
  "Vacuum",
  "IncrVacuum",
  "AutoCommit",
  "Savepoint",
  "SetCookie",
  "JournalMode",
  "Checkpoint",
  "CreateBtree",
  "Destroy",
  "ParseSchema",
  "SqlExec",
  "VUpdate",
  "VCreate",
  "VDestroy",
  "VRename",
  "DropTable",
  "DropIndex",
  "DropTrigger",
  "MaxPgcnt",
]);
const REACHING_OUT = /^(?:sqlite_attach|sqlite_detach|load_extension|fts3_tokenizer)\b/i;

/** Throws a `DatabaseError`; what it lets through can be prepared and run once. */
export function assertOnlyReads(database: Database, sql: string): void {
  const tokens = sqlTokens(sql).filter(({ type }) => type !== "comment");
  const end = tokens.findIndex(({ type, text }) => type === "symbol" && text === ";");
  if (end >= 0 && end < tokens.length - 1) throw refused("there is more than one statement");
  if (tokens.some(({ type }) => type === "parameter")) {
    throw refused("it has parameters, and there is nothing to bind to them");
  }
  const isProgram = assertReadingKind(tokens);
  const statement = database.prepare(sql);
  try {
    if (!statement.readonly) throw refused("it writes");
  } finally {
    statement.finalize();
  }
  // A pragma may act while it is being explained; those let through do nothing then.
  if (isProgram) assertProgram(database, sql);
}

/** True where the statement has a program of its own to be looked at. */
function assertReadingKind(tokens: readonly SqlToken[]): boolean {
  const word = (at: number): string => tokens[at]?.text.toUpperCase() ?? "";
  if (tokens.length === 0)
    throw new DatabaseError(
      "bad_selector",
      "There is no query: write q=SELECT … to ask for something.",
    );
  if (READING.has(word(0))) return true;
  if (word(0) === "EXPLAIN") {
    const at = word(1) === "QUERY" ? 3 : 1;
    if (READING.has(word(at))) return false;
    throw refused("only a SELECT can be explained");
  }
  if (word(0) !== "PRAGMA") throw refused(`${word(0).slice(0, 40)} is not a read-only statement`);
  const at = tokens[2]?.text === "." ? 3 : 1;
  const pragma = (tokens[at]?.text ?? "").toLowerCase();
  const hasArgument = tokens.some(({ text }) => text === "=" || text === "(");
  if (TELLING_PRAGMAS.has(pragma) && (!hasArgument || WITH_ARGUMENT.test(pragma))) return false;
  throw refused(`PRAGMA ${pragma.slice(0, 40)} may change something`);
}

function assertProgram(database: Database, sql: string): void {
  const statement = database.prepare(`EXPLAIN ${sql}`);
  try {
    for (const row of statement.iterate() as Iterable<{ opcode: string; p4: unknown }>) {
      if (CHANGING.has(row.opcode)) throw refused(`it does more than read (${row.opcode})`);
      if (typeof row.p4 === "string" && REACHING_OUT.test(row.p4)) {
        throw refused(`it reaches beyond this database (${row.p4})`);
      }
    }
  } finally {
    statement.finalize();
  }
}

function refused(why: string): DatabaseError {
  return new DatabaseError(
    "refused",
    `This query is not run because ${why}: ask with a single SELECT, and change rows with write.`,
  );
}
