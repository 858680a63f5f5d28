// What the model and the screen learn of an edit: the new tags and the changed lines in few rows
// for the one, whole diffs for the other.

import { compactDiff, unifiedDiff } from "@tau/hashline/compact-diff";
import { LineIndex } from "@tau/hashline/line-index";
import { printEdit, printWarnings } from "@tau/hashline/print-edit";
import type { EditMode } from "../file-tool-settings.ts";
import type { Workspace } from "../workspace.ts";
import type { AppliedChange } from "./apply-edit.ts";
import type { EditOp, PlannedChange } from "./planned-change.ts";

/** Of one file, in UTF-16 units: as much as anybody scrolls through. */
const MAX_DIFF_LENGTH = 256 * 1024;

export interface FileEditDetails {
  /** As the model sees it; of a file that moved, where it was. */
  path: string;
  op: EditOp;
  diff: string;
  firstChangedLine?: number;
  moveTo?: string;
}

export interface EditDetails {
  diff: string;
  firstChangedLine?: number;
  op: EditOp;
  /** Where there are several files. */
  perFileResults?: FileEditDetails[];
  path?: string;
  moveTo?: string;
}

export function printResult(
  changes: readonly AppliedChange[],
  warnings: readonly string[],
  { workspace, mode }: { workspace: Workspace; mode: EditMode },
): string {
  const parts = changes.map((change) => printChange(change, workspace, mode));
  return [parts.join("\n\n"), printWarnings(warnings)].filter((part) => part !== "").join("\n");
}

function printChange(change: AppliedChange, workspace: Workspace, mode: EditMode): string {
  const path = workspace.files.shown(change.path);
  const { before, after, moveTo, tag, blocks } = change;
  if (after === undefined) return `Deleted ${path}`;
  if (before === undefined) {
    const { count } = new LineIndex(after);
    return `Created ${path} (${count} ${count === 1 ? "line" : "lines"})`;
  }
  if (mode === "hashline" && tag !== undefined) {
    const place = moveTo === undefined ? path : workspace.files.shown(moveTo);
    const movedFrom = moveTo === undefined ? undefined : path;
    return printEdit({ path: place, before, after, blocks, movedFrom }, tag);
  }
  const title = moveTo === undefined ? path : `Moved ${path} to ${workspace.files.shown(moveTo)}`;
  const diff = compactDiff(before, after);
  if (diff !== "") return `${title}:\n${diff}`;
  return moveTo === undefined ? `Updated ${path}` : title;
}

export function detailsOf(changes: readonly PlannedChange[], workspace: Workspace): EditDetails {
  const files = changes.map((change) => fileDetails(change, workspace));
  const [first, ...more] = files;
  if (more.length === 0) return { ...first! };
  const { op, firstChangedLine } = first!;
  return {
    diff: files.map(({ diff }) => diff).join(""),
    firstChangedLine,
    op: files.every((file) => file.op === op) ? op : "update",
    perFileResults: files,
  };
}

export function fileDetails(change: PlannedChange, workspace: Workspace): FileEditDetails {
  const { op, firstChangedLine, moveTo } = change;
  return {
    path: workspace.files.shown(change.path),
    op,
    diff: diffOf(change, workspace),
    firstChangedLine,
    moveTo: moveTo === undefined ? undefined : workspace.files.shown(moveTo),
  };
}

/** A unified diff, as other programs read it. */
export function diffOf(change: PlannedChange, workspace: Workspace): string {
  const { before, after, moveTo } = change;
  const path = workspace.files.shown(change.path);
  const rows = unifiedDiff(path, before ?? "", after ?? "").split("\n");
  if (rows.length > 2) {
    if (before === undefined) rows[0] = "--- /dev/null";
    if (after === undefined) rows[1] = "+++ /dev/null";
    else if (moveTo !== undefined) rows[1] = `+++ b/${workspace.files.shown(moveTo)}`;
  }
  const diff = rows.join("\n");
  if (diff.length <= MAX_DIFF_LENGTH) return diff;
  return `${diff.slice(0, MAX_DIFF_LENGTH)}\n[… ${diff.length - MAX_DIFF_LENGTH} more characters left out …]\n`;
}
