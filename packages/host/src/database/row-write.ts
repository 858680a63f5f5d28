// Inserts, updates or deletes one row. The content is an object in JSON5, as people and models
// write it; only columns that exist and values that a column can hold are taken.

import type { Database } from "bun:sqlite";
import { DatabaseError } from "./database-error.ts";
import type { RowTarget } from "./database-selector.ts";
import { keyColumn, keyValues, quoteName, tableFacts, type TableFacts } from "./table-facts.ts";

export interface RowWrite {
  action: "inserted" | "updated" | "deleted";
  table: string;
  key?: string;
  /** False where there was no such row. */
  found: boolean;
}

type Value = string | number | null;

/** Blank content with a key deletes the row. */
export function writeRow(database: Database, target: RowTarget, content: string): RowWrite {
  const table = tableFacts(database, target.table);
  if (table.type === "view" || table.type === "shadow") {
    throw new DatabaseError(
      "bad_table",
      `${table.name} is not a table (${table.type}): write to the underlying table.`,
    );
  }
  if (target.key === undefined) return insert(database, table, parseRow(table, content));
  const column = keyColumn(table);
  const isDeletion = content.trim() === "";
  const row = isDeletion ? [] : parseRow(table, content);
  if (!isDeletion && row.length === 0) {
    throw new DatabaseError(
      "bad_row",
      "There is nothing to change: name a column, or send no content at all to delete the row.",
    );
  }
  const name = quoteName(table.name);
  const change = isDeletion
    ? `DELETE FROM ${name}`
    : `UPDATE ${name} SET ${row.map(([key]) => `${quoteName(key)} = ?`).join(", ")}`;
  const sql = `${change} WHERE ${column.sql} = ?`;
  const exists = database.prepare(`SELECT 1 FROM ${name} WHERE ${column.sql} = ?`);
  const values = row.map(([, value]) => value);
  const found = database
    .transaction(() => {
      const key = keyValues(target.key!, column).find((value) => exists.get(value) !== null);
      if (key === undefined) return false;
      database.prepare(sql).run(...values, key);
      return true;
    })
    .immediate();
  const action = isDeletion ? "deleted" : "updated";
  return { action, table: table.name, key: target.key, found };
}

function insert(database: Database, table: TableFacts, row: [string, Value][]): RowWrite {
  const columns = row.map(([name]) => quoteName(name)).join(", ");
  const marks = row.map(() => "?").join(", ");
  const values = row.map(([, value]) => value);
  const what = row.length === 0 ? "DEFAULT VALUES" : `(${columns}) VALUES (${marks})`;
  database.prepare(`INSERT INTO ${quoteName(table.name)} ${what}`).run(...values);
  return { action: "inserted", table: table.name, found: true };
}

function parseRow(table: TableFacts, content: string): [string, Value][] {
  const parsed = parseObject(content);
  return Object.entries(parsed).map(([name, value]) => {
    const column =
      table.columns.find((known) => known === name) ??
      table.columns.find((known) => known.toLowerCase() === name.toLowerCase());
    if (column === undefined) {
      throw badRow(
        `${table.name} has no column ${JSON.stringify(name.slice(0, 80))}: use ${table.columns.slice(0, 40).join(", ")}.`,
      );
    }
    return [column, valueOf(column, value)];
  });
}

function parseObject(content: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = Bun.JSON5.parse(content);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const why = error.message.replace(/\s+/g, " ").slice(0, 120);
    throw badRow(`The content is not JSON (${why}): write a row as {column: value, …}.`);
  }
  if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) {
    return parsed as Record<string, unknown>;
  }
  throw badRow("The content is not an object: write a row as {column: value, …}.");
}

function valueOf(column: string, value: unknown): Value {
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "string" || value === null) return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw badRow(`${column} takes a text, a number, true, false or null: write a structure as text.`);
}

function badRow(message: string): DatabaseError {
  return new DatabaseError("bad_row", message);
}
