// An answer of a database as text to be read.

import type { DatabaseAnswer } from "./answer-database.ts";
import { printCell, renderTable } from "./render-table.ts";
import type { RowSet } from "./row-set.ts";

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
      const next = answer.offset + answer.rows.rows.length;
      return rowLines(answer.rows, `the next one has offset ${next}`);
    }
  }
}

function rowLines(rows: RowSet, hint: string): string {
  if (rows.columns.length === 0) return "(no columns)";
  const lines = renderTable(rows);
  if (rows.rows.length === 0) lines.push("(no rows)");
  if (rows.hasMore) lines.push(`[more rows follow: ${hint}]`);
  return lines.join("\n");
}

/** One row has room: its lines stay lines, set in from the left. */
function valueText(cell: RowSet["rows"][number][number] | undefined): string {
  if (typeof cell !== "string") return printCell(cell ?? null);
  const lines = cell.split(/\r?\n/).map((line) => printCell(line));
  return lines.join("\n  ");
}
