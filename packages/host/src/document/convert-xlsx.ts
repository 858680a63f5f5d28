// Spreadsheets: every sheet as a table.

import { TextCollector, type ConvertedDocument } from "./converted.ts";
import { corruptDocument } from "./document-error.ts";
import { markdownTable } from "./markdown-table.ts";

/** Of a sheet; who wants more wants a program and not a reader. */
const MAX_ROWS = 2000;
const MAX_COLUMNS = 100;
const MAX_SHEETS = 50;

export async function convertXlsx(name: string, bytes: Uint8Array): Promise<ConvertedDocument> {
  const { default: readXlsxFile } = await import("read-excel-file/node");
  let sheets: Awaited<ReturnType<typeof readXlsxFile>>;
  try {
    sheets = await readXlsxFile(Buffer.from(bytes));
  } catch (error) {
    throw corruptDocument(name, error);
  }
  const collector = new TextCollector();
  for (const { sheet, data } of sheets.slice(0, MAX_SHEETS)) {
    const rows = data.slice(0, MAX_ROWS).map((row) => row.slice(0, MAX_COLUMNS).map(cellText));
    const table = rows.length === 0 ? "(empty sheet)" : markdownTable(rows);
    collector.add(`## ${sheet}\n\n${table}`);
    if (data.length > MAX_ROWS) {
      collector.notes.push(`${sheet} has ${data.length} rows; ${MAX_ROWS} are here.`);
    }
    const columns = Math.max(0, ...rows.map((_, at) => data[at]!.length));
    if (columns > MAX_COLUMNS) {
      collector.notes.push(`${sheet} has ${columns} columns; ${MAX_COLUMNS} are here.`);
    }
  }
  if (sheets.length > MAX_SHEETS) {
    collector.notes.push(`It has ${sheets.length} sheets; ${MAX_SHEETS} are here.`);
  }
  return collector.result();
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) {
    const text = Number.isNaN(value.getTime()) ? "" : value.toISOString();
    // A day is stored as its midnight.
    return text.replace(/T00:00:00\.000Z$/, "").replace(/\.000Z$/, "Z");
  }
  return String(value);
}
