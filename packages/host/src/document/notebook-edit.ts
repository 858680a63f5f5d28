// Puts an edited text back into a notebook. A cell whose text is the same keeps every byte it
// had; one that changed keeps all but its source; new ones get only what a cell must have.

import { arraySpans, objectSpans, type Span } from "./json-spans.ts";
import { parseNotebook, parseNotebookText, type CellKind, type MarkedCell } from "./notebook.ts";

/** How the file is laid out, so that what is new looks like what is there. */
interface Layout {
  /** One step of indentation; empty for a file without line breaks. */
  unit: string;
  /** What stands before a cell in its line. */
  indent: string;
  isCompact: boolean;
}

/** `json` is the notebook as it is, `text` what it is to say. */
export function editNotebook(json: string, text: string): string {
  const before = parseNotebook(json);
  const wanted = parseNotebookText(text);
  const isSame =
    wanted.length === before.length &&
    wanted.every(
      ({ kind, source, number }, at) =>
        number === at && kind === before[at]!.kind && source === before[at]!.source,
    );
  if (isSame) return json;

  const root = json.indexOf("{");
  const members = objectSpans(json, root);
  const array = members.get("cells")!;
  const spans = arraySpans(json, array.start);
  const layout = layoutOf(json, array, spans);
  const hasIds = /"nbformat_minor"\s*:\s*(?:[5-9]|\d{2,})/.test(json);
  const taken = new Set<number>();
  const cells = wanted.map((cell) => {
    const { number } = cell;
    const old = number === undefined || taken.has(number) ? undefined : spans[number];
    if (number === undefined || !old) return newCell(cell, layout, hasIds);
    taken.add(number);
    const { kind, source } = before[number]!;
    const raw = json.slice(old.start, old.end);
    if (kind !== cell.kind) return retypedCell(raw, cell, layout);
    return source === cell.source ? raw : changedCell(raw, cell.source, layout);
  });
  return (
    json.slice(0, array.start) +
    arrayText(json, array, spans, cells, layout) +
    json.slice(array.end)
  );
}

function layoutOf(json: string, array: Span, spans: readonly Span[]): Layout {
  const lineStart = (at: number) => json.lastIndexOf("\n", at - 1) + 1;
  const indentAt = (at: number) => /^[ \t]*/.exec(json.slice(lineStart(at), at))![0];
  const unit = indentAt(array.start) || " ";
  const first = spans[0];
  const isCompact = !json.includes("\n");
  const indent =
    first && json.slice(array.start, first.start).includes("\n")
      ? indentAt(first.start)
      : unit + unit;
  return { unit: isCompact ? "" : unit, indent: isCompact ? "" : indent, isCompact };
}

/** With the separators that the array has, where it has any. */
function arrayText(
  json: string,
  array: Span,
  spans: readonly Span[],
  cells: readonly string[],
  layout: Layout,
): string {
  if (cells.length === 0) return "[]";
  const [first, second] = spans;
  const last = spans.at(-1);
  const newline = layout.isCompact ? "" : "\n";
  const lead = first ? json.slice(array.start + 1, first.start) : newline + layout.indent;
  const between = first && second ? json.slice(first.end, second.start) : `,${lead}`;
  const tail = last
    ? json.slice(last.end, array.end - 1)
    : newline + layout.indent.slice(layout.unit.length);
  return `[${lead}${cells.join(between)}${tail}]`;
}

function print(value: unknown, indent: string, { unit, isCompact }: Layout): string {
  if (isCompact) return JSON.stringify(value);
  return JSON.stringify(value, null, unit).replaceAll("\n", `\n${indent}`);
}

/** As notebooks have it: a list of lines, each with its end. */
function sourceLines(source: string): string[] {
  return source.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

function changedCell(raw: string, source: string, layout: Layout): string {
  const span = objectSpans(raw, 0).get("source")!;
  const isText = raw[span.start] === '"';
  const indent = layout.indent + layout.unit;
  const value = print(isText ? source : sourceLines(source), indent, layout);
  return raw.slice(0, span.start) + value + raw.slice(span.end);
}

/** Another kind of cell has other members; what both have stays. */
function retypedCell(raw: string, { kind, source }: MarkedCell, layout: Layout): string {
  const { outputs: _outputs, execution_count: _count, ...kept } = JSON.parse(raw);
  const cell = { ...kept, ...emptyMembers(kind), cell_type: kind, source: sourceLines(source) };
  return print(cell, layout.indent, layout);
}

function newCell({ kind, source }: MarkedCell, layout: Layout, hasIds: boolean): string {
  const cell = {
    cell_type: kind,
    id: hasIds ? crypto.randomUUID().slice(0, 8) : undefined,
    metadata: {},
    ...emptyMembers(kind),
    source: sourceLines(source),
  };
  return print(cell, layout.indent, layout);
}

function emptyMembers(kind: CellKind): object {
  return kind === "code" ? { execution_count: null, outputs: [] } : {};
}
