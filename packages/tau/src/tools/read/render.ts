// How reading looks in the conversation: what was read and how much of it. The text itself is for
// the model; whoever wants it opens the viewer.

import type { CallState, ToolView } from "../../feature-api/tool-view.ts";
import {
  counted,
  field,
  hasFailed,
  isDone,
  listField,
  numberField,
  resultText,
  textArgument,
  textField,
} from "../render/call-values.ts";
import { imageRows } from "../render/image-rows.ts";
import { listingRows } from "../render/listing-rows.ts";
import { failureRows } from "../render/output-rows.ts";
import { pathSpans, splitPart } from "../render/path-spans.ts";

export const readView: ToolView = {
  title: (state, look) => pathSpans(textArgument(state, "path"), look),
  remark: (state) => (isDone(state) ? amountOf(state) : undefined),
  body(state, look) {
    if (hasFailed(state)) return failureRows(state, look);
    if (look.detail === "short") return imageRows(state, look);
    const { name } = splitPart(textArgument(state, "path"));
    const options = { most: 0, path: name, short: "all" } as const;
    return [...listingRows(resultText(state), look, options), ...imageRows(state, look)];
  },
};

function amountOf({ details }: CallState): string | undefined {
  const entries = numberField(details, "entries");
  if (entries !== undefined) return counted(entries, "entry", "entries");
  const all = numberField(details, "lines");
  const summary = field(details, "summary");
  const elided = numberField(summary, "elidedLines");
  if (all !== undefined && elided !== undefined) {
    return `outline, ${all - elided} of ${counted(all, "line")}`;
  }
  const conflicts = listField(details, "conflicts").length;
  if (conflicts > 0) return counted(conflicts, "conflict");
  const shown = shownLines(listField(details, "shown"));
  if (shown !== undefined && all !== undefined && shown < all) {
    return `${shown} of ${counted(all, "line")}`;
  }
  if (all !== undefined) return counted(all, "line");
  return textField(details, "image") === undefined ? undefined : "image";
}

function shownLines(ranges: readonly unknown[]): number | undefined {
  let sum = 0;
  for (const range of ranges) {
    const first = numberField(range, "first");
    const last = numberField(range, "last");
    if (first === undefined || last === undefined) return undefined;
    sum += last - first + 1;
  }
  return ranges.length === 0 ? undefined : sum;
}
