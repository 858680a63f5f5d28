// How looking for files looks in the conversation.

import type { CallLook, CallState, ToolView } from "../../feature-api/tool-view.ts";
import {
  counted,
  field,
  hasFailed,
  isDone,
  listField,
  numberField,
  resultText,
  textsArgument,
} from "../render/call-values.ts";
import { liveOutput } from "../render/command-rows.ts";
import { failureRows, outputRows } from "../render/output-rows.ts";
import { pathsSpans, shownPath } from "../render/path-spans.ts";

const SHORT_ROWS = 5;

/** For the model, paths stand below their directories; a few are better whole. */
function listOf(state: CallState, look: CallLook): string {
  if (!isDone(state)) return liveOutput(state);
  const files = listField(state.details, "files").filter((file) => typeof file === "string");
  return look.detail === "full" || files.length === 0
    ? resultText(state)
    : files.map((file) => shownPath(file, look.cwd)).join("\n");
}

export const findView: ToolView = {
  title: (state, look) => pathsSpans(textsArgument(state, "paths"), look),
  remark(state) {
    const { details } = state;
    const shown = numberField(details, "fileCount");
    if (!isDone(state) || shown === undefined) return undefined;
    if (shown === 0) return "nothing found";
    const all = numberField(details, "matched") ?? shown;
    const found = all > shown ? `${shown} of ${counted(all, "path")}` : counted(shown, "path");
    return field(details, "timedOut") === true ? `${found}, stopped early` : found;
  },
  body(state, look) {
    if (hasFailed(state)) return failureRows(state, look);
    if (look.detail === "short" && numberField(state.details, "fileCount") === 0) return [];
    return outputRows(listOf(state, look), look, { keep: "head", most: SHORT_ROWS });
  },
};
