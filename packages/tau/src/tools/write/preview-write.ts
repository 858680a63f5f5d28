// What writing a file would change, for whoever is asked about it.

import type { CallPreview } from "@tau/agent/tool";
import { isLocalAddress } from "../../resources/local-scheme.ts";
import { isAddress } from "../assess-path.ts";
import { diffOf } from "../edit/print-result.ts";
import type { Workspace } from "../workspace.ts";
import { inFormOf } from "./keep-form.ts";
import { whatIsThere } from "./write-file.ts";

/** Rejects with a `FileProblem` for what must not be overwritten. */
export async function previewWrite(
  path: string,
  content: string,
  workspace: Workspace,
): Promise<CallPreview> {
  if (isAddress(path) && !isLocalAddress(path)) return { files: [] };
  const absolute = workspace.files.resolve(path);
  const before = await whatIsThere(absolute, workspace);
  const shown = { path: workspace.files.shown(absolute) };
  // There is text that cannot be read here: what will be lost has no diff.
  if (before !== undefined && typeof before !== "string") {
    return { files: [{ ...shown, op: "update", diff: "" }] };
  }
  const op = before === undefined ? "create" : "update";
  const rest = { firstChangedLine: undefined, blocks: [], warnings: [] };
  const after = before === undefined ? content : inFormOf(before, content).text;
  const diff = diffOf({ op, path: absolute, before, after, ...rest }, workspace);
  return { files: [{ ...shown, op, diff }] };
}
