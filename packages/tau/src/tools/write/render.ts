// How writing a file looks in the conversation: the text as it grows, then what it changed.

import type { CallLook, CallState, ToolView } from "../../feature-api/tool-view.ts";
import {
  counted,
  hasFailed,
  isDone,
  resultText,
  textArgument,
  textField,
} from "../render/call-values.ts";
import { countLines } from "../render/clip-text.ts";
import { changeRemark, clipFor, countChanges, readUnifiedDiff } from "../render/diff-lines.ts";
import { diffRows, newTextRows } from "../render/diff-rows.ts";
import { failureRows, outputRows } from "../render/output-rows.ts";
import { pathSpans } from "../render/path-spans.ts";

/** While it grows: enough to follow it. */
const GROWING_ROWS = 8;
const NEW_FILE_ROWS = 8;

export const writeView: ToolView = {
  title: (state, look) => pathSpans(textArgument(state, "path"), look),
  remark(state, look) {
    const diff = textField(state.details, "diff");
    if (isDone(state) && diff !== undefined) {
      return changeRemark(countChanges(readUnifiedDiff(diff, clipFor(look)))) ?? "no change";
    }
    const lines = countLines(textArgument(state, "content"));
    if (lines === 0 || hasFailed(state)) return undefined;
    const size = counted(lines, "line");
    return textField(state.details, "op") === "create" ? `new, ${size}` : size;
  },
  body(state, look) {
    const growing = (): string[] =>
      newTextRows(textArgument(state, "content"), look, { keep: "tail", most: GROWING_ROWS });
    if (hasFailed(state)) return failureRows(state, look, { attempt: growing });
    return isDone(state) ? changeRows(state, look) : growing();
  },
};

function changeRows(state: CallState, look: CallLook): string[] {
  const diff = textField(state.details, "diff");
  if (diff !== undefined) return diffRows(readUnifiedDiff(diff, clipFor(look)), look);
  // A row of a database, a member of an archive: what was said of it tells more than its text.
  if (textField(state.details, "op") === undefined && state.details !== undefined) {
    return outputRows(resultText(state), look, { keep: "head", most: 3 });
  }
  const content = textArgument(state, "content");
  return newTextRows(content, look, { keep: "head", most: NEW_FILE_ROWS });
}
