// From what the model wrote, in whichever of the edit languages, to what becomes of every file.
// Nothing is written here.

import { planApplyPatch } from "@tau/hashline/apply-patch/plan-apply-patch";
import type { BlockResolution } from "@tau/hashline/line-change";
import { PatchError } from "@tau/hashline/patch-error";
import { planEdits, type PlannedEdit } from "@tau/hashline/plan-edits";
import { replaceText, type Replacement } from "@tau/hashline/replace/replace-text";
import type { EditMode } from "../file-tool-settings.ts";
import type { Workspace } from "../workspace.ts";
import { EditableFiles } from "./editable-files.ts";
import { planDiff } from "./plan-diff.ts";
import { fromPlan } from "./from-plan.ts";
import { editedPaths } from "./edited-paths.ts";
import type { EditOutcome, PlannedChange } from "./planned-change.ts";

export type TextMode = Exclude<EditMode, "replace">;

export type EditRequest =
  | {
      mode: TextMode;
      input: string;
      /** Of a diff: the input has a character for each byte, as it is in no encoding as a whole. */
      isBytes?: boolean;
    }
  | { mode: "replace"; path: string; edits: readonly Replacement[] };

export async function planEdit(
  request: EditRequest,
  workspace: Workspace,
  signal?: AbortSignal,
): Promise<EditOutcome> {
  const files = new EditableFiles(workspace);
  const isFuzzy = workspace.files.settings.fuzzyMatch;
  switch (request.mode) {
    case "hashline":
      return planHashline(request.input, workspace, files, signal);
    case "replace":
      return planReplacements(request.path, request.edits, workspace, files);
    case "patch":
      return planDiff(request, workspace);
    case "apply_patch":
      return fromPlan(await planApplyPatch(request.input, files.load, { isFuzzy }), workspace);
  }
}

async function planHashline(
  input: string,
  workspace: Workspace,
  files: EditableFiles,
  signal: AbortSignal | undefined,
): Promise<EditOutcome> {
  const identities = await identifyPaths(input, workspace);
  const plan = await planEdits(input, {
    load: files.load,
    snapshots: workspace.files.snapshots,
    identify: (path) => identities.get(path) ?? path,
    isUnseen: (path, line) =>
      workspace.files.seenLines.isUnseen(identities.get(path) ?? path, line),
    resolveBlock: (path, text, line) => findBlock(workspace, { path, text, line }, signal),
  });
  if (plan.kind !== "planned") return plan;
  const changes = plan.edits.map((edit) => fromEdit(edit, workspace));
  return { kind: "planned", changes, warnings: plan.warnings };
}

/** The planner asks at once; the disk answers later. */
async function identifyPaths(input: string, workspace: Workspace): Promise<Map<string, string>> {
  const identities = new Map<string, string>();
  for (const path of (await editedPaths({ mode: "hashline", input }, workspace)).paths) {
    identities.set(path, await workspace.files.identify(path));
  }
  return identities;
}

async function findBlock(
  workspace: Workspace,
  { path, text, line }: { path: string; text: string; line: number },
  signal: AbortSignal | undefined,
): Promise<BlockResolution> {
  const { detectLanguage } = await import("@tau/host/syntax/detect-language");
  const language = detectLanguage(path, text.slice(0, text.indexOf("\n")));
  if (!language) return { failure: "no parser is known for this kind of file" };
  const { resolveBlock } = await import("@tau/host/syntax/syntax");
  const found = await resolveBlock(await workspace.syntax(), text, language.name, line, signal);
  return found.ok ? found.value : { failure: found.failure.message.replace(/\.$/, "") };
}

function fromEdit(edit: PlannedEdit, workspace: Workspace): PlannedChange {
  const { before, after, firstChangedLine, blocks, warnings } = edit;
  const path = workspace.files.resolve(edit.path);
  const op = after === undefined ? ("delete" as const) : ("update" as const);
  const moveTo = edit.moveTo === undefined ? undefined : workspace.files.resolve(edit.moveTo);
  return { op, path, before, after, moveTo, firstChangedLine, blocks, warnings };
}

async function planReplacements(
  path: string,
  edits: readonly Replacement[],
  workspace: Workspace,
  files: EditableFiles,
): Promise<EditOutcome> {
  try {
    const before = await files.load(path);
    if (before === undefined) {
      const message = `${path} does not exist. Check the path, or create the file with the write tool.`;
      throw new PatchError("missing_file", message, { path });
    }
    const isFuzzy = workspace.files.settings.fuzzyMatch;
    const { text: after, firstChangedLine, warnings } = replaceText(before, edits, { isFuzzy });
    const change = { op: "update" as const, path: workspace.files.resolve(path), before, after };
    const changes = [{ ...change, firstChangedLine, blocks: [], warnings }];
    return { kind: "planned", changes, warnings: [] };
  } catch (error) {
    if (error instanceof PatchError) return { kind: "refused", failures: [error] };
    throw error;
  }
}
