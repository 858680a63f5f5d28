// What stands behind a database in a path: which table, which row, which rows, or a query.
// SQL is full of the characters that URLs use, so it is taken as it is written; only where it
// has no blanks at all it can be taken for percent-encoded.

import { DatabaseError } from "./database-error.ts";
import { sqlTokens } from "./sql-tokens.ts";

const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 500;

export type DatabaseSelector =
  | { kind: "tables" }
  | { kind: "schema"; table: string }
  | { kind: "row"; table: string; key: string }
  | {
      kind: "rows";
      table: string;
      limit: number;
      offset: number;
      order?: { column: string; isDescending: boolean };
      where?: string;
    }
  | { kind: "query"; sql: string };

/** Where a row is to be written; without a key it is a new one. */
export interface RowTarget {
  table: string;
  key?: string;
}

/** `text` is everything behind the file's name, with its colon or question mark. */
export function parseDatabaseSelector(text: string): DatabaseSelector {
  if (text === "" || text === ":") return { kind: "tables" };
  if (text.startsWith("?")) return parseQuery(text.slice(1));
  const { table, key, query } = splitTarget(text);
  if (table === "") throw bad("There is no table before the key: write db.sqlite:table:key.");
  if (key !== undefined) {
    if (query !== undefined)
      throw bad("A row by key takes no parameters: drop what follows the ?.");
    if (key === "") throw bad(`There is no key: write ${table}:key, or ${table} for the table.`);
    return { kind: "row", table, key };
  }
  return query === undefined ? { kind: "schema", table } : parseRows(table, query);
}

export function parseRowTarget(text: string): RowTarget {
  if (text.startsWith("?")) throw noParameters();
  const { table, key, query } = splitTarget(text);
  if (query !== undefined) throw noParameters();
  if (table === "") throw bad("Say which table to write to, as in db.sqlite:table.");
  if (key === undefined) return { table };
  if (key.trim() === "") throw bad(`Say which row of ${table} to write, as in :${table}:key.`);
  return { table, key };
}

function splitTarget(text: string): { table: string; key?: string; query?: string } {
  const body = text.replace(/^:/, "");
  // A question mark that no parameter follows belongs to a name or a key.
  const query = /\?(?=[A-Za-z_]\w*=)/.exec(body) ?? /(?<=^[^:]*)\?$/.exec(body);
  const target = query ? body.slice(0, query.index) : body;
  const colon = target.indexOf(":");
  return {
    table: colon < 0 ? target : target.slice(0, colon),
    key: colon < 0 ? undefined : target.slice(colon + 1),
    query: query ? body.slice(query.index + 1) : undefined,
  };
}

function parseQuery(query: string): DatabaseSelector {
  if (!/^q=/i.test(query)) {
    throw bad(
      "Name a table for these parameters, as in db.sqlite:table?limit=5, or write ?q=SELECT ….",
    );
  }
  const value = query.slice(2);
  if (/&(?:limit|offset|order|where|q)=/i.test(value)) {
    throw bad("q= stands alone: put LIMIT, ORDER BY and WHERE into the query itself.");
  }
  const sql = decode(value, { isQuery: true });
  if (sql.trim() === "") throw bad("q= is empty: write a query, as in ?q=SELECT 1.");
  return { kind: "query", sql };
}

function parseRows(table: string, query: string): DatabaseSelector {
  const rows: DatabaseSelector & { kind: "rows" } = {
    kind: "rows",
    table,
    limit: DEFAULT_LIMIT,
    offset: 0,
  };
  // An ampersand begins a parameter only where a name and an equals sign follow at once.
  for (const part of query.split(/&(?=[A-Za-z_]\w*=)/)) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = part.slice(0, Math.max(0, equals)).toLowerCase();
    const value = decode(part.slice(equals + 1), { isQuery: false }).trim();
    if (name === "limit") rows.limit = Math.min(count(name, value, { least: 1 }), MAX_LIMIT);
    else if (name === "offset") rows.offset = count(name, value, { least: 0 });
    else if (name === "order") rows.order = parseOrder(value);
    else if (name === "where") rows.where = checkWhere(value);
    else if (name === "q") throw bad("q= stands alone: write db.sqlite?q=… without a table.");
    else {
      const shown = JSON.stringify((name || part).slice(0, 40));
      throw bad(`There is no parameter ${shown}: use limit, offset, order and where.`);
    }
  }
  return rows;
}

function count(name: string, value: string, { least }: { least: number }): number {
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw bad(`${name}= takes a whole number from ${least}: write ${name}=${DEFAULT_LIMIT}.`);
}

function parseOrder(value: string): { column: string; isDescending: boolean } {
  const match = /^(.+?)(?::(asc|desc))?$/i.exec(value);
  if (!match) throw bad("order= is empty: write order=column or order=column:desc.");
  return { column: match[1]!, isDescending: match[2]?.toLowerCase() === "desc" };
}

/** What would end the condition and begin something else. */
const FOREIGN_WORDS: ReadonlySet<string> = new Set([
  "LIMIT",
  "OFFSET",
  "UNION",
  "INTERSECT",
  "EXCEPT",
  "ORDER",
  "GROUP",
  "HAVING",
  "WINDOW",
  "RETURNING",
  "ATTACH",
  "DETACH",
  "PRAGMA",
  "VACUUM",
  "INSERT",
  "UPDATE",
  "DELETE",
  "CREATE",
  "DROP",
  "ALTER",
]);

function checkWhere(value: string): string {
  if (value === "") throw bad("where= is empty: write a condition, as in where=id > 3.");
  let depth = 0;
  for (const { type, text } of sqlTokens(value)) {
    if (type === "comment" || text === ";") {
      throw bad("where= takes one condition without comments and semicolons: shorten it.");
    }
    if (type === "parameter") throw bad("where= takes no parameters: write the value itself.");
    if (type === "word" && FOREIGN_WORDS.has(text.toUpperCase())) {
      throw bad(
        `where= takes a condition only, not ${text.toUpperCase()}: use ?q=SELECT … for that.`,
      );
    }
    if (type === "symbol") depth += text === "(" ? 1 : text === ")" ? -1 : 0;
    if (depth < 0) break;
  }
  if (depth !== 0) throw bad("The parentheses in where= do not match: correct them.");
  return value;
}

function decode(value: string, { isQuery }: { isQuery: boolean }): string {
  if (/\s/.test(value)) return value;
  // A whole query needs blanks; in a condition a plus may well be one.
  const hasPlusForBlank = isQuery || /%[\da-f]{2}/i.test(value);
  try {
    return decodeURIComponent(hasPlusForBlank ? value.replaceAll("+", " ") : value);
  } catch (error) {
    if (error instanceof URIError) return value;
    throw error;
  }
}

function noParameters(): DatabaseError {
  return bad("A row is written without parameters: drop what follows the ?.");
}

function bad(message: string): DatabaseError {
  return new DatabaseError("bad_selector", message);
}
