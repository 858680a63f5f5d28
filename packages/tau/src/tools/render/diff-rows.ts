// Changed files as rows: each under its name where there are several, a dozen rows of them in the
// transcript.

import { DiffView, type DiffLine } from "@tau/tui/components/diff-view";
import type { CallLook } from "../../feature-api/tool-view.ts";
import { firstLines, lastLines } from "./clip-text.ts";
import { clipFor, type FileDiff } from "./diff-lines.ts";
import { fitRow, MAX_FULL_LINES, moreRow, widthOf } from "./output-rows.ts";
import { shownPath } from "./path-spans.ts";

/** In the transcript: most edits whole, and of others what they are like. */
const SHORT_ROWS = 12;

export function diffRows(files: readonly FileDiff[], look: CallLook, most = SHORT_ROWS): string[] {
  const rows: string[] = [];
  let left = 0;
  for (const { path, lines } of files) {
    const room = look.detail === "full" ? MAX_FULL_LINES : most - rows.length;
    if (room <= 1) {
      left += lines.length;
      continue;
    }
    if (files.length > 1 && path !== undefined) {
      rows.push(
        fitRow([{ text: shownPath(path, look.cwd), paint: look.theme.style("accent") }], look),
      );
    }
    const view = new DiffView({ lines, theme: look.theme, maxRows: room });
    rows.push(...view.render(widthOf(look)).rows);
  }
  return left > 0 ? [...rows, moreRow(left, look)] : rows;
}

/** A text that is all new, numbered from its first line; while it grows, its end. */
export function newTextRows(
  text: string,
  look: CallLook,
  { keep, most = SHORT_ROWS }: { keep: "head" | "tail"; most?: number },
): string[] {
  const isFull = look.detail === "full";
  const take = keep === "head" ? firstLines : lastLines;
  const part = isFull ? firstLines(text, MAX_FULL_LINES) : take(text, most);
  const from = keep === "head" || isFull ? 1 : part.left + 1;
  const clip = clipFor(look);
  const lines = part.lines.map((line, at): DiffLine => ({
    kind: "added",
    text: clip(line),
    newLine: from + at,
  }));
  const rows = [...new DiffView({ lines, theme: look.theme }).render(widthOf(look)).rows];
  if (part.left === 0) return rows;
  return keep === "head" || isFull
    ? [...rows, moreRow(part.left, look)]
    : [moreRow(part.left, look), ...rows];
}
