// What a tool has printed, as rows: a few of them in the transcript with a word on how many are
// left, all of them in the viewer.

import { breakSpans, fitSpans, wrapSpans, type Span } from "@tau/tui/components/spans";
import type { Paint } from "@tau/tui/theme/theme";
import type { CallLook, CallState } from "../../feature-api/tool-view.ts";
import { resultText } from "./call-values.ts";
import { firstLines, lastLines, rowText, wholeText } from "./clip-text.ts";

/** Rows of a failure in the transcript: its first sentence and what follows closely. */
const FAILURE_ROWS = 4;
/** Lines that a viewer lays out at once; nobody scrolls further. */
export const MAX_FULL_LINES = 20_000;

export interface OutputOptions {
  /** Which end tells more. */
  keep: "head" | "tail";
  /** Rows in the transcript. */
  most: number;
  paint?: Paint;
}

export const widthOf = ({ columns }: CallLook): number => Math.max(1, columns);

/** One row, cut where it is too long. */
export const fitRow = (spans: readonly Span[], look: CallLook): string =>
  fitSpans(spans, widthOf(look));

export function mutedRow(text: string, look: CallLook): string {
  return fitRow([{ text, paint: look.theme.style("muted") }], look);
}

/** Says that there is more, in so many words. */
export function moreRow(left: number, look: CallLook, what = "line"): string {
  return mutedRow(`${look.theme.symbols.ellipsis} +${left} ${what}${left === 1 ? "" : "s"}`, look);
}

export function outputRows(text: string, look: CallLook, options: OutputOptions): string[] {
  const { keep, most, paint = look.theme.style("toolOutput") } = options;
  if (look.detail === "full") return wholeRows(text, look, paint);
  const take = keep === "head" ? firstLines : lastLines;
  let part = take(text, most);
  // A row that says that one row is missing may as well be that row.
  if (part.left === 1) part = take(text, most + 1);
  const rows = part.lines.map((line) =>
    fitRow([{ text: rowText(line, look.columns), paint }], look),
  );
  if (part.left === 0) return rows;
  const more = moreRow(part.left, look);
  return keep === "head" ? [...rows, more] : [more, ...rows];
}

function wholeRows(text: string, look: CallLook, paint: Paint): string[] {
  const { lines, left } = firstLines(text, MAX_FULL_LINES);
  const rows = lines.flatMap((line) =>
    breakSpans([{ text: wholeText(line), paint }], widthOf(look)),
  );
  return left === 0 ? rows : [...rows, moreRow(left, look)];
}

/** A sentence that says what went wrong. */
export const errorRows = (text: string, look: CallLook): string[] =>
  wrapSpans([{ text: wholeText(text), paint: look.theme.style("error") }], widthOf(look));

/** Why it did not end as it should, and in full what was tried (`attempt`). */
export function failureRows(
  state: CallState,
  look: CallLook,
  { attempt }: { attempt?: () => readonly string[] } = {},
): string[] {
  const reason = reasonRows(state, look);
  const tried = look.detail === "full" ? (attempt?.() ?? []) : [];
  return tried.length === 0 ? reason : [...reason, "", ...tried];
}

function reasonRows(state: CallState, look: CallLook): string[] {
  const paint = look.theme.style(
    state.phase === "failed" ? "error" : state.phase === "refused" ? "warning" : "muted",
  );
  const most = look.detail === "full" ? MAX_FULL_LINES : FAILURE_ROWS;
  const { lines, left } = firstLines(resultText(state), most);
  const clip = (line: string): string =>
    look.detail === "full" ? wholeText(line) : rowText(line, look.columns * (FAILURE_ROWS + 1));
  const rows = lines
    .filter((line) => look.detail === "full" || line.trim() !== "")
    .flatMap((line) => wrapSpans([{ text: clip(line), paint }], widthOf(look)));
  if (rows.length <= most && left === 0) return rows;
  return [
    ...rows.slice(0, most),
    left > 0 ? moreRow(left, look) : moreRow(rows.length - most, look, "row"),
  ];
}
