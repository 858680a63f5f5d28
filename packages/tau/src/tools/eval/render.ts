// How cells of code look in the conversation: the code while nothing else is known, what it prints
// while it runs, and in the viewer each cell with its own output.

import { cleanLine } from "@tau/tui/components/clean-text";
import type { Span } from "@tau/tui/components/spans";
import type { CallLook, CallState, ToolView } from "../../feature-api/tool-view.ts";
import {
  counted,
  hasFailed,
  isDone,
  listField,
  numberField,
  textField,
} from "../render/call-values.ts";
import { codeRows, codeTitle } from "../render/code-rows.ts";
import { rowText } from "../render/clip-text.ts";
import { endedOf, liveOutput } from "../render/command-rows.ts";
import { withImageSizes } from "../render/image-rows.ts";
import { errorRows, failureRows, fitRow, mutedRow, outputRows } from "../render/output-rows.ts";

const CODE_ROWS = 8;
const RUNNING_ROWS = 8;
const DONE_ROWS = 5;

const LANGUAGES: ReadonlyMap<string, string> = new Map([
  ["py", "python"],
  ["js", "typescript"],
]);

const languageOf = (cell: unknown): string =>
  LANGUAGES.get(textField(cell, "language") ?? "") ?? "python";

export const evalView: ToolView = {
  title(state, look) {
    const [first, ...more] = listField(state.arguments, "cells");
    if (first === undefined) return [];
    const title = rowText(textField(first, "title") ?? "", look.columns);
    const spans: Span[] =
      title === ""
        ? codeTitle(textField(first, "code") ?? "", languageOf(first), look)
        : [{ text: title }];
    if (more.length > 0)
      spans.push({ text: ` +${counted(more.length, "cell")}`, paint: look.theme.style("muted") });
    return spans;
  },
  remark(state) {
    if (!isDone(state)) return undefined;
    const languages = listField(state.details, "languages").filter(
      (name) => typeof name === "string",
    );
    return languages.length === 0 ? undefined : cleanLine(languages.join(", ").slice(0, 40));
  },
  body(state, look) {
    if (look.detail === "full") return fullRows(state, look);
    if (state.phase === "writing" || state.phase === "waiting") {
      const cells = listField(state.arguments, "cells");
      const isGrowing = state.phase === "writing";
      const cell = isGrowing ? cells.at(-1) : cells[0];
      const keep = isGrowing ? "tail" : "head";
      return codeRows(textField(cell, "code") ?? "", look, {
        language: languageOf(cell),
        most: CODE_ROWS,
        keep,
      });
    }
    return resultRows(state, look);
  },
};

function resultRows(state: CallState, look: CallLook): string[] {
  const live = (most: number): string[] =>
    outputRows(liveOutput(state), look, { keep: "tail", most });
  if (state.phase === "running") return live(RUNNING_ROWS);
  const { output, ending } = endedOf(state);
  if (hasFailed(state) && ending === undefined) {
    const seen = state.phase === "stopped" ? live(DONE_ROWS) : [];
    return [...seen, ...failureRows(state, look)];
  }
  const { text, images } = withImageSizes(output, state);
  const rows = outputRows(text, look, { keep: "tail", most: DONE_ROWS });
  // An exception's sentence is too long for a remark.
  const why = ending === undefined ? [] : errorRows(ending, look);
  return [...rows, ...images.map((label) => mutedRow(label, look)), ...why];
}

/** The reports of a call that is done have each cell's output; others have it in one. */
function fullRows(state: CallState, look: CallLook): string[] {
  const reports = listField(state.details, "cells");
  const cells = reports.length > 0 ? reports : listField(state.arguments, "cells");
  const rows = cells.flatMap((cell, at) => {
    const output = withImageSizes(textField(cell, "output") ?? "", state).text;
    return [
      ...(at > 0 ? [""] : []),
      cellHead(cell, at, cells.length, look),
      ...codeRows(textField(cell, "code") ?? "", look, {
        language: languageOf(cell),
        most: CODE_ROWS,
        keep: "head",
      }),
      ...outputRows(output, look, { keep: "tail", most: DONE_ROWS }),
    ];
  });
  if (reports.length > 0) return rows;
  const result = resultRows(state, look);
  return result.length > 0 && rows.length > 0 ? [...rows, "", ...result] : [...rows, ...result];
}

function cellHead(cell: unknown, at: number, count: number, look: CallLook): string {
  const title = rowText(textField(cell, "title") ?? "", look.columns);
  const duration = numberField(cell, "durationMs");
  const parts = [
    `[${at + 1}/${count}]`,
    rowText(textField(cell, "language") ?? "", 8),
    title,
    duration === undefined ? "" : `${(duration / 1000).toFixed(1)} s`,
  ].filter((part) => part !== "");
  return fitRow([{ text: parts.join(" "), paint: look.theme.style("muted") }], look);
}
