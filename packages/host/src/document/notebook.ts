// Jupyter notebooks as plain text that can be edited: each cell under a line that says what it
// is and which one it was. Outputs are not shown; an edit leaves them alone.

import { DocumentError } from "./document-error.ts";

export type CellKind = "code" | "markdown" | "raw";

export interface NotebookCell {
  kind: CellKind;
  source: string;
}

const MARKER = /^# %% \[(code|markdown|raw)\](?:[ \t]+cell:(\d{1,9}))?[ \t]*\r?$/;
/** A line of a cell that could be taken for a marker gets a backslash in front. */
const LOOKS_LIKE_MARKER = /^\\*# %% \[/;

export interface MarkedCell extends NotebookCell {
  /** Which cell of the notebook this was; undefined for a new one. */
  number?: number;
}

/** The cells of a notebook file; a typed error where it is none. */
export function parseNotebook(json: string): NotebookCell[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw notNotebook("it is not JSON");
  }
  if (typeof parsed !== "object" || parsed === null) throw notNotebook("it is not an object");
  if ("worksheets" in parsed) {
    throw new DocumentError(
      "unsupported",
      "The notebook has an old format: convert it first with jupyter nbconvert --to notebook --inplace.",
    );
  }
  const { cells } = parsed as { cells?: unknown };
  if (!Array.isArray(cells)) throw notNotebook("it has no cells");
  return cells.map((cell: unknown) => {
    const { cell_type: kind, source } = (cell ?? {}) as { cell_type?: unknown; source?: unknown };
    if (kind !== "code" && kind !== "markdown" && kind !== "raw") {
      throw notNotebook("a cell has no type");
    }
    return { kind, source: sourceText(source) };
  });
}

function sourceText(source: unknown): string {
  if (typeof source === "string") return source;
  if (Array.isArray(source) && source.every((line) => typeof line === "string")) {
    return source.join("");
  }
  throw notNotebook("a cell has no source");
}

export function notebookText(json: string): string {
  const cells = parseNotebook(json);
  if (cells.length === 0) return "";
  const blocks = cells.map(({ kind, source }, number) => {
    const lines = source
      .split("\n")
      .map((line) => (LOOKS_LIKE_MARKER.test(line) ? `\\${line}` : line));
    return `# %% [${kind}] cell:${number}\n${lines.join("\n")}`;
  });
  return `${blocks.join("\n")}\n`;
}

/** The cells that an edited text describes. */
export function parseNotebookText(text: string): MarkedCell[] {
  const cells: { kind: CellKind; number?: number; lines: string[] }[] = [];
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const marker = MARKER.exec(line);
    if (marker) {
      const number = marker[2] === undefined ? undefined : Number(marker[2]);
      cells.push({ kind: marker[1] as CellKind, number, lines: [] });
    } else if (cells.length > 0) {
      cells.at(-1)!.lines.push(LOOKS_LIKE_MARKER.test(line) ? line.replace(/^\\/, "") : line);
    } else if (line.trim() !== "") {
      throw new DocumentError(
        "bad_edit",
        "The text does not begin with a cell: put a line like # %% [code] above it.",
      );
    }
  }
  return cells.map(({ kind, number, lines }) => ({
    kind,
    source: lines.join("\n"),
    number,
  }));
}

function notNotebook(why: string): DocumentError {
  return new DocumentError(
    "corrupt",
    `This is not a notebook (${why}): read it with :raw and repair it.`,
  );
}
