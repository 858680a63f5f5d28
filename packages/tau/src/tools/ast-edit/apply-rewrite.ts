// Makes a rewrite that was shown: exactly those texts, all of them or none, and only where every
// file is still what the preview was made from.

import { textOutput, ToolError, type ToolOutput } from "@tau/agent/tool";
import { printFileHeader } from "@tau/hashline/file-header";
import { StorageError } from "@tau/host/storage-error";
import { changeFiles, UnfinishedChange } from "../../files/change-files.ts";
import { FileProblem } from "../../files/file-problem.ts";
import { count } from "../ast-grep/count.ts";
import { isTagged } from "../ast-grep/show-matches.ts";
import type { Workspace } from "../workspace.ts";
import type { RewritePlan } from "./plan-rewrite.ts";
import { SHOWN_FILES } from "./show-rewrite.ts";

/** A `ToolError` where nothing was written. */
export async function applyRewrite(
  workspace: Workspace,
  { changes, replacements }: Pick<RewritePlan, "changes" | "replacements">,
  signal: AbortSignal,
): Promise<ToolOutput> {
  await write(workspace, changes, signal);
  const rows = [
    `Applied ${count(replacements, "replacement")} in ${count(changes.length, "file")}.`,
  ];
  for (const [at, { path, after }] of changes.entries()) {
    const identity = await workspace.files.identify(path);
    // The store keeps a hundred files: those nobody asked about must not push others out.
    if (at >= SHOWN_FILES && !workspace.files.snapshots.latest(identity)) continue;
    const { tag } = workspace.files.snapshots.record(identity, after, "written");
    const shown = workspace.files.shown(path);
    if (at < SHOWN_FILES) rows.push(isTagged(workspace) ? printFileHeader(shown, tag) : shown);
  }
  if (changes.length > SHOWN_FILES) rows.push(`and ${changes.length - SHOWN_FILES} more files`);
  return textOutput(rows.join("\n"), {
    applied: true,
    totalReplacements: replacements,
    files: changes.map(({ path }) => path),
  });
}

async function write(
  workspace: Workspace,
  changes: RewritePlan["changes"],
  signal: AbortSignal,
): Promise<void> {
  try {
    await changeFiles(
      changes.map(({ path, before, after }) => ({ path, before, after })),
      {
        agentDirectory: workspace.agentDirectory,
        signal,
        show: (path) => workspace.files.shown(path),
      },
    );
  } catch (error) {
    if (error instanceof FileProblem && error.code === "changed") {
      const shown = workspace.files.shown(error.path);
      throw new ToolError(
        `${shown} is no longer what the preview was made from, so nothing was written to any file. Call ast_edit again for a new preview.`,
      );
    }
    const isForModel =
      error instanceof FileProblem ||
      error instanceof StorageError ||
      error instanceof UnfinishedChange;
    throw isForModel ? new ToolError(error.message) : error;
  }
}
