// An answer of a database as text to be read.

import type { DatabaseAnswer } from "./answer-database.ts";
import { COLUMN_WIDTH, printCell, renderTable } from "./render-table.ts";
import type { Cell, RowSet } from "./row-set.ts";
import { quoteName } from "./table-facts.ts";

export function renderAnswer(answer: DatabaseAnswer): string {
  switch (answer.kind) {
    case "tables": {
      if (answer.tables.length === 0) return "(no tables)";
      const lines = answer.tables.map(({ name, type, rows, isAtLeast }) => {
        const kind = type === "table" ? "" : `${type}, `;
        const count =
          rows === undefined
            ? "rows not counted"
            : `${rows}${isAtLeast ? " or more" : ""} ${rows === 1 ? "row" : "rows"}`;
        return `${printCell(name)} (${kind}${count})`;
      });
      if (answer.omitted > 0) lines.push(`[${answer.omitted} more tables]`);
      return lines.join("\n");
    }
    case "schema":
      return `${answer.sql};\n\n${rowLines(answer.sample, `use :${answer.table}?limit=… for more rows`)}`;
    case "row":
      return answer.columns
        .map((column, at) => `${column}: ${valueText(answer.cells[at])}`)
        .join("\n");
    case "rows": {
      const only = onlyCell(answer.rows);
      if (only !== undefined) return valueText(only, "");
      const next = answer.offset + answer.rows.rows.length;
      return rowLines(answer.rows, `the next one has offset ${next}`);
    }
  }
}

function rowLines(rows: RowSet, hint: string): string {
  if (rows.columns.length === 0) return "(no columns)";
  const lines = renderTable(rows);
  if (rows.rows.length === 0) lines.push("(no rows)");
  if (rows.rows.some((row) => row.some(isCut))) {
    lines.push("[… is a cut cell: a row by its key, or a query for one cell, shows it]");
  }
  if (rows.hasMore) lines.push(`[more rows follow: ${hint}]`);
  return lines.join("\n");
}

/** One row has room: its lines stay lines, set in from the left. */
function valueText(cell: Cell | undefined, indent = "  "): string {
  if (typeof cell !== "string") return printCell(cell ?? null);
  const lines = cell.split(/\r?\n/).map((line) => printCell(line));
  return lines.join(`\n${indent}`);
}

/** Of a query for one value the value is wanted, not a table of it. */
function onlyCell({ columns, rows, hasMore }: RowSet): string | undefined {
  const cell = columns.length === 1 && rows.length === 1 && !hasMore ? rows[0]![0] : undefined;
  return typeof cell === "string" && isCut(cell) ? cell : undefined;
}

function isCut(cell: Cell): boolean {
  return typeof cell === "string" && Bun.stringWidth(printCell(cell)) > COLUMN_WIDTH;
}

/** What a page shows whole. In characters. */
const PIECE_CHARS = 4000;

/** A query for the next piece of the longest cell, for an answer that is too long to be shown. */
export function pieceQuery(answer: DatabaseAnswer): string | undefined {
  if (answer.kind !== "row") return undefined;
  const lengths = answer.cells.map((cell) => (typeof cell === "string" ? cell.length : 0));
  const column = answer.columns[lengths.indexOf(Math.max(...lengths))];
  if (column === undefined) return undefined;
  return `SELECT substr(${quoteName(column)}, 1, ${PIECE_CHARS}) FROM ${quoteName(answer.table)} WHERE ${answer.where}`;
}
