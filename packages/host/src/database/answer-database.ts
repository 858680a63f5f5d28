// Reads from or writes to a database in the process it runs in: the inside of
// `serve-confined.ts`, where it can be ended.

import type { Database } from "bun:sqlite";
import { DatabaseError, databaseError } from "./database-error.ts";
import { MAX_LIMIT, type DatabaseSelector, type RowTarget } from "./database-selector.ts";
import { openForReading, openForWriting } from "./open-database.ts";
import { assertOnlyReads } from "./read-guard.ts";
import { takeRows, type Cell, type RowSet } from "./row-set.ts";
import { writeRow, type RowWrite } from "./row-write.ts";
import {
  keyColumn,
  keyValues,
  listTables,
  quoteName,
  tableFacts,
  type TableFacts,
} from "./table-facts.ts";

export type DatabaseTask =
  | { action: "read"; path: string; selector: DatabaseSelector }
  | { action: "write"; path: string; target: RowTarget; content: string };

export interface TableSummary {
  name: string;
  type: TableFacts["type"];
  /** Undefined for views, and where counting takes too long. */
  rows?: number;
  /** Counting stopped there. */
  isAtLeast?: boolean;
}

export type DatabaseAnswer =
  | { kind: "tables"; tables: TableSummary[]; omitted: number }
  | { kind: "schema"; table: string; sql: string; sample: RowSet }
  | {
      kind: "row";
      table: string;
      key: string;
      /** The condition that finds it, as SQL. */
      where: string;
      columns: string[];
      cells: Cell[];
    }
  | { kind: "rows"; rows: RowSet; limit: number; offset: number };

const MAX_TABLES = 500;
const SAMPLE_ROWS = 5;
/** Counting a row takes tens of nanoseconds to microseconds. */
const MAX_COUNTED = 2_000_000;
/** For counting all tables together; what is not counted by then is listed without a number. */
const COUNT_BUDGET_MS = 3000;

export async function answerDatabase(task: DatabaseTask): Promise<DatabaseAnswer | RowWrite> {
  try {
    if (task.action === "write") {
      using database = await openForWriting(task.path);
      return writeRow(database, task.target, task.content);
    }
    using database = await openForReading(task.path);
    return read(database, task.selector);
  } catch (error) {
    throw databaseError(error);
  }
}

function read(database: Database, selector: DatabaseSelector): DatabaseAnswer {
  switch (selector.kind) {
    case "tables":
      return summarize(database);
    case "schema": {
      const { name } = tableFacts(database, selector.table);
      const found = database
        .prepare("SELECT sql FROM sqlite_master WHERE name = ? AND type IN ('table', 'view')")
        .get(name) as { sql: string | null } | null;
      const sample = takeRows(database, `SELECT * FROM ${quoteName(name)}`, {
        maxRows: SAMPLE_ROWS,
      });
      return { kind: "schema", table: name, sql: found?.sql ?? "", sample };
    }
    case "row":
      return readRow(database, selector.table, selector.key);
    case "rows": {
      const sql = rowsQuery(tableFacts(database, selector.table), selector);
      assertOnlyReads(database, sql);
      const { limit, offset } = selector;
      return { kind: "rows", rows: takeRows(database, sql, { maxRows: limit }), limit, offset };
    }
    case "query": {
      assertOnlyReads(database, selector.sql);
      const rows = takeRows(database, selector.sql, { maxRows: MAX_LIMIT });
      return { kind: "rows", rows, limit: MAX_LIMIT, offset: 0 };
    }
  }
}

function summarize(database: Database): DatabaseAnswer {
  const all = listTables(database).filter(({ type }) => type !== "shadow");
  const until = performance.now() + COUNT_BUDGET_MS;
  const tables = all.slice(0, MAX_TABLES).map(({ name, type }): TableSummary => {
    // The rows of a view may take for ever to be made.
    if (type === "view" || performance.now() > until) return { name, type };
    try {
      const counted = database
        .prepare(
          `SELECT count(*) AS n FROM (SELECT 1 FROM ${quoteName(name)} LIMIT ${MAX_COUNTED})`,
        )
        .get() as { n: number };
      return counted.n < MAX_COUNTED
        ? { name, type, rows: counted.n }
        : { name, type, rows: counted.n, isAtLeast: true };
    } catch (error) {
      // A virtual table whose module is not here is still a table to be listed.
      if (type === "virtual") return { name, type };
      throw error;
    }
  });
  return { kind: "tables", tables, omitted: all.length - tables.length };
}

function readRow(database: Database, wanted: string, key: string): DatabaseAnswer {
  const table = tableFacts(database, wanted);
  const column = keyColumn(table);
  const sql = `SELECT * FROM ${quoteName(table.name)} WHERE ${column.sql} = ?`;
  for (const value of keyValues(key, column)) {
    const { columns, rows } = takeRows(database, sql, { maxRows: 1, values: [value] });
    if (!rows[0]) continue;
    const literal = typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : `${value}`;
    const where = `${column.sql} = ${literal}`;
    return { kind: "row", table: table.name, key, where, columns, cells: rows[0] };
  }
  const shown = JSON.stringify(key.slice(0, 80));
  throw new DatabaseError(
    "not_found",
    `${table.name} has no row ${shown}: list some with ?limit=20 to see its keys.`,
  );
}

function rowsQuery(table: TableFacts, selector: DatabaseSelector & { kind: "rows" }): string {
  const { where, order, limit, offset } = selector;
  const parts = [`SELECT * FROM ${quoteName(table.name)}`];
  // On a line of its own: nothing in it can take away what follows.
  if (where !== undefined) parts.push(`WHERE (${where}\n)`);
  if (order) {
    const name = order.column.toLowerCase();
    const column = table.columns.find((known) => known.toLowerCase() === name);
    if (column === undefined) {
      throw new DatabaseError(
        "not_found",
        `${table.name} has no column ${JSON.stringify(order.column.slice(0, 80))}: order by one of ${table.columns.slice(0, 30).join(", ")}.`,
      );
    }
    parts.push(`ORDER BY ${quoteName(column)}${order.isDescending ? " DESC" : ""}`);
  }
  // One more than wanted tells whether there are more.
  parts.push(`LIMIT ${limit + 1} OFFSET ${offset}`);
  return parts.join("\n");
}
