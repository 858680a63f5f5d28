// Tables of Rich Text, which has none: there are cells that end, rows that end, and paragraphs that
// say that they belong to a table.

import { markdownTable } from "./markdown-table.ts";

export class RtfTable {
  #rows: string[][] = [];
  #cells: string[] = [];
  /** Where the text of the open cell begins; undefined outside of rows. */
  #from: number | undefined;
  isInside = false;

  get hasRows(): boolean {
    return this.#rows.length > 0 && this.#cells.length === 0;
  }

  /** A paragraph of the table begins, at this length of the text. */
  begin(at: number): void {
    this.isInside = true;
    this.#from ??= at;
  }

  /** Gives the text without that of the cell. */
  endCell(text: string): string {
    // A cell whose paragraph did not say so begins with its line.
    const from = this.#from ?? text.lastIndexOf("\n") + 1;
    this.#cells.push(text.slice(from));
    this.#from = from;
    return text.slice(0, from);
  }

  endRow(): void {
    this.#rows.push(this.#cells);
    this.#cells = [];
    this.#from = undefined;
  }

  /** What has been collected, as it stands in the text; the next row begins another table. */
  take(): string {
    const table = markdownTable(this.#rows);
    this.#rows = [];
    return `\n\n${table}\n\n`;
  }
}
