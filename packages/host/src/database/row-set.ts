// Rows as they leave the database: bounded in number and in bytes, with what was cut said.

import type { Database, Statement } from "bun:sqlite";

/** A BLOB is its length; the bytes are nothing to read. */
export type Cell = string | number | bigint | null | { blobBytes: number };

export interface RowSet {
  columns: string[];
  rows: Cell[][];
  /** There were more rows. */
  hasMore: boolean;
  /** Cells whose text was cut. */
  cutCells: number;
}

/** What a table shows of a cell is 40 columns; a row by its key shows all within this. */
const MAX_CELL_CHARS = 64 * 1024;
/** All rows together; an answer that is longer is read by nobody. */
const MAX_SET_CHARS = 4 * 1024 * 1024;

/** Runs a statement that was found to read only; `sql` is a whole SELECT without a bound. */
export function takeRows(
  database: Database,
  sql: string,
  options: { maxRows: number; values?: (string | number | bigint)[] },
): RowSet {
  let statement = database.prepare(sql);
  try {
    // A row comes as an object, in which columns of the same name would become one.
    if (new Set(statement.columnNames).size < statement.columnNames.length) {
      const { columnNames } = statement;
      statement.finalize();
      statement = database.prepare(`SELECT * FROM (${sql.replace(/;\s*$/, "")}\n)`);
      return { ...collect(statement, options), columns: columnNames };
    }
    return collect(statement, options);
  } finally {
    statement.finalize();
  }
}

function collect(
  statement: Statement,
  { maxRows, values = [] }: { maxRows: number; values?: (string | number | bigint)[] },
): RowSet {
  statement.safeIntegers(true);
  const set: RowSet = { columns: statement.columnNames, rows: [], hasMore: false, cutCells: 0 };
  let chars = 0;
  for (const row of statement.iterate(...values) as Iterable<Record<string, unknown>>) {
    if (set.rows.length >= maxRows || chars > MAX_SET_CHARS) {
      set.hasMore = true;
      break;
    }
    const cells = set.columns.map((column) => cellOf(row[column]));
    for (const [at, cell] of cells.entries()) {
      if (typeof cell !== "string") continue;
      chars += Math.min(cell.length, MAX_CELL_CHARS);
      if (cell.length <= MAX_CELL_CHARS) continue;
      cells[at] = `${cell.slice(0, MAX_CELL_CHARS).toWellFormed()}…`;
      set.cutCells++;
    }
    set.rows.push(cells);
  }
  return set;
}

function cellOf(value: unknown): Cell {
  if (value instanceof Uint8Array) return { blobBytes: value.byteLength };
  // Exact integers where they fit: a script that reads details wants numbers.
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (typeof value === "string" || typeof value === "number") return value;
  return null;
}
