// What SQLite knows of a table: its columns, and how one of its rows is named.

import type { Database } from "bun:sqlite";
import { DatabaseError } from "./database-error.ts";

export interface TableFacts {
  name: string;
  type: "table" | "view" | "virtual" | "shadow";
  columns: string[];
  keyColumns: string[];
  hasRowId: boolean;
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

interface ListedTable {
  name: string;
  type: TableFacts["type"];
  wr: number;
}

/** Tables and views in the order of their names, without SQLite's own. */
export function listTables(database: Database): ListedTable[] {
  const all = database
    .prepare("SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' ORDER BY name")
    .all() as ListedTable[];
  return all.filter(({ name }) => !/^sqlite_/i.test(name));
}

/** Names are found as SQLite finds them: without regard to case. */
export function tableFacts(database: Database, wanted: string): TableFacts {
  const tables = listTables(database);
  const found =
    tables.find(({ name }) => name === wanted) ??
    tables.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (!found) throw missingTable(wanted, tables);
  const columns = database
    .prepare("SELECT name, pk, hidden FROM pragma_table_xinfo(?)")
    .all(found.name) as { name: string; pk: number; hidden: number }[];
  return {
    name: found.name,
    type: found.type,
    // 1 marks the secret columns of virtual tables; generated ones are 2 and 3.
    columns: columns.filter(({ hidden }) => hidden !== 1).map(({ name }) => name),
    keyColumns: columns
      .filter(({ pk }) => pk > 0)
      .sort((a, b) => a.pk - b.pk)
      .map(({ name }) => name),
    hasRowId: found.wr === 0 && found.type !== "view",
  };
}

/** The column by which one row is found: its only key, or the number that every row has. */
export function keyColumn(table: TableFacts): { sql: string; isRowId: boolean } {
  if (table.type === "view") {
    throw badTable(`${table.name} is a view, whose rows have no keys: use ?where=… instead.`);
  }
  if (table.keyColumns.length === 1)
    return { sql: quoteName(table.keyColumns[0]!), isRowId: false };
  if (table.keyColumns.length > 1) {
    const names = table.keyColumns.join(", ");
    throw badTable(
      `A row of ${table.name} has several keys (${names}): use ?where=… or ?q=… instead.`,
    );
  }
  if (!table.hasRowId)
    throw badTable(`Rows of ${table.name} have no number: use ?where=… instead.`);
  const taken = new Set(table.columns.map((name) => name.toLowerCase()));
  const sql = ["rowid", "_rowid_", "oid"].find((name) => !taken.has(name));
  if (!sql) throw badTable(`Rows of ${table.name} have no number: use ?where=… instead.`);
  return { sql, isRowId: true };
}

/** A key is text in a path; a column without a type compares text and numbers as different. */
export function keyValues(key: string, { isRowId }: { isRowId: boolean }): (string | bigint)[] {
  const isInteger = /^[+-]?\d{1,18}$/.test(key);
  if (!isRowId) return isInteger ? [key, BigInt(key)] : [key];
  if (isInteger) return [BigInt(key)];
  throw new DatabaseError(
    "bad_selector",
    `${JSON.stringify(key.slice(0, 60))} is not a row number, and this table has no key of its own: give a number or use ?where=….`,
  );
}

const SHOWN_TABLES = 20;

function missingTable(wanted: string, tables: readonly ListedTable[]): DatabaseError {
  const names = tables.slice(0, SHOWN_TABLES).map(({ name }) => name);
  const more = tables.length > names.length ? ", …" : "";
  const choice = names.length === 0 ? "the database has none" : `use ${names.join(", ")}${more}`;
  return new DatabaseError(
    "not_found",
    `There is no table ${JSON.stringify(wanted.slice(0, 80))}: ${choice}.`,
  );
}

function badTable(message: string): DatabaseError {
  return new DatabaseError("bad_table", message);
}
