// An edit of a notebook is written as an edit of its cells' text; what changes on disk is the
// notebook. Cells that were not touched keep their outputs, ids and metadata.

import { FileProblem } from "../../files/file-problem.ts";
import { readTextFile } from "../../files/read-text-file.ts";
import type { Workspace } from "../workspace.ts";
import type { PlannedChange } from "./planned-change.ts";

export function isNotebook(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

/** The text that the model sees of it; the file's own text where it is no notebook after all. */
export async function notebookTextOf(text: string): Promise<string> {
  const { notebookText } = await import("@tau/host/document/notebook");
  try {
    return notebookText(text);
  } catch (error) {
    if (error instanceof Error && error.name === "DocumentError") return text;
    throw error;
  }
}

/** The same change, of the file that is there. */
export async function onDisk(change: PlannedChange, workspace: Workspace): Promise<PlannedChange> {
  const { path, before, after } = change;
  if (before === undefined || !isNotebook(path)) return change;
  const file = await readTextFile(path, (one) => workspace.files.shown(one));
  const shown = workspace.files.shown(path);
  const isSame = file !== undefined && (await notebookTextOf(file.text)) === before;
  if (!isSame)
    throw new FileProblem("changed", path, `${shown} changed in the meantime; read it again.`);
  if (file.text === before) return change;
  const gone = { ...change, before: file.text };
  if (after === undefined) return gone;
  // A file that only moves keeps every byte.
  if (after === before) return { ...gone, after: file.text };
  const { editNotebook } = await import("@tau/host/document/notebook-edit");
  return { ...gone, after: editNotebook(file.text, after) };
}
