// How an edit looks in the conversation: the patch as it is written, then what it changed. While
// it is written nothing is known of the files, so its own rows are shown, not their effect.

import type { DiffLine } from "@tau/tui/components/diff-view";
import { fitLineEnd } from "@tau/tui/width";
import type { CallLook, CallState, ToolView } from "../../feature-api/tool-view.ts";
import {
  hasFailed,
  isDone,
  listField,
  resultText,
  textArgument,
  textField,
} from "../render/call-values.ts";
import { firstLines } from "../render/clip-text.ts";
import {
  changeRemark,
  clipFor,
  countChanges,
  readCompactDiff,
  readUnifiedDiff,
  type FileDiff,
} from "../render/diff-lines.ts";
import { diffRows } from "../render/diff-rows.ts";
import { failureRows, MAX_FULL_LINES, outputRows } from "../render/output-rows.ts";
import { pathsSpans, shownPath } from "../render/path-spans.ts";
import { namedFiles, patchRows } from "./patch-rows.ts";

export const editView: ToolView = {
  title: (state, look) => pathsSpans(pathsOf(state), look),
  remark(state, look) {
    if (!isDone(state)) return undefined;
    const moved = textField(state.details, "moveTo");
    const count = changeRemark(countChanges(changesOf(state, look)));
    const word = OP_WORDS.get(textField(state.details, "op") ?? "");
    const place =
      moved === undefined ? "" : fitLineEnd(shownPath(moved, look.cwd), MAX_MOVED_COLUMNS);
    const parts = [word, count, place === "" ? undefined : `moved to ${place}`];
    return parts.filter((part) => part !== undefined).join(", ") || undefined;
  },
  body(state, look) {
    const growing = (): string[] => growingRows(state, look);
    if (hasFailed(state)) return failureRows(state, look, { attempt: growing });
    if (!isDone(state)) return growing();
    const changes = changesOf(state, look);
    if (changes.length > 0) return diffRows(changes, look);
    return outputRows(resultText(state), look, { keep: "head", most: 3 });
  },
};

const OP_WORDS: ReadonlyMap<string, string> = new Map([
  ["create", "new"],
  ["delete", "deleted"],
]);
/** Of where a file went, in columns. */
const MAX_MOVED_COLUMNS = 40;

function pathsOf(state: CallState): readonly string[] {
  const own = textField(state.details, "path") ?? textArgument(state, "path");
  if (own !== "") return [own];
  const several = listField(state.details, "perFileResults").flatMap(
    (file) => textField(file, "path") ?? [],
  );
  return several.length > 0 ? several : namedFiles(textArgument(state, "input"));
}

/** From the details; from the text for the model where a log has none. */
function changesOf(state: CallState, look: CallLook): FileDiff[] {
  const diff = textField(state.details, "diff");
  const clip = clipFor(look);
  return diff === undefined
    ? readCompactDiff(resultText(state), clip)
    : readUnifiedDiff(diff, clip);
}

/** Whoever can read files may put a preview (`previewEdit`) into the details meanwhile. */
function previewedChanges({ details }: CallState, look: CallLook): FileDiff[] {
  return listField(details, "files").flatMap((file) =>
    readUnifiedDiff(textField(file, "diff") ?? "", clipFor(look)),
  );
}

function growingRows(state: CallState, look: CallLook): string[] {
  const previewed = previewedChanges(state, look);
  if (previewed.length > 0) return diffRows(previewed, look);
  const input = textArgument(state, "input");
  if (input !== "") return patchRows(input, look);
  // Numbers are not known before the file is: the texts stand as one change after the other.
  const clip = clipFor(look);
  const lines: DiffLine[] = [];
  for (const edit of listField(state.arguments, "edits")) {
    if (lines.length > 0) lines.push({ kind: "gap" });
    const removed = firstLines(textField(edit, "oldText") ?? "", MAX_FULL_LINES).lines;
    const added = firstLines(textField(edit, "newText") ?? "", MAX_FULL_LINES).lines;
    for (const line of removed) lines.push({ kind: "removed", text: clip(line), oldLine: 0 });
    for (const line of added) lines.push({ kind: "added", text: clip(line), newLine: 0 });
  }
  return diffRows([{ path: undefined, lines }], look);
}
