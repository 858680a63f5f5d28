// Makes a planned edit real, and remembers what the files hold now. If somebody changed a file
// between planning and writing, the edit is planned anew for what is there: it then still fits,
// or it is refused for a reason.

import type { PatchError } from "@tau/hashline/patch-error";
import type { Storage } from "@tau/host/storage";
import { longLines } from "../seen-lines.ts";
import { changeFiles, type ChangeReport } from "../../files/change-files.ts";
import { FileProblem } from "../../files/file-problem.ts";
import type { Workspace } from "../workspace.ts";
import { outsideNote } from "./editable-files.ts";
import { onDisk } from "./notebook-change.ts";
import { planEdit, type EditRequest } from "./plan-edit.ts";
import type { EditOutcome, PlannedChange } from "./planned-change.ts";

/** Another writer who is faster this often does not stop writing. */
const MAX_ATTEMPTS = 3;

export interface AppliedChange extends PlannedChange {
  /** The file that really changed. */
  target: string;
  /** Of its new text; undefined where it is gone. */
  tag: string | undefined;
}

export type AppliedEdit =
  | { kind: "applied"; changes: AppliedChange[]; warnings: string[] }
  | { kind: "aborted" }
  | { kind: "refused"; failures: readonly PatchError[] };

export interface ApplyOptions {
  signal?: AbortSignal;
  /** For tests of what happens while it is applied. */
  storage?: Storage;
}

/** Rejects with what `changeFiles` rejects with. */
export async function applyEdit(
  request: EditRequest,
  workspace: Workspace,
  options: ApplyOptions = {},
): Promise<AppliedEdit> {
  for (let attempt = 1; ; attempt += 1) {
    const plan = await planEdit(request, workspace, options.signal);
    if (plan.kind !== "planned") return plan;
    const report = await tryChange(plan, workspace, options, attempt);
    if (report) return await remember(plan, report, workspace);
  }
}

/** Undefined where another attempt may fit. */
async function tryChange(
  { changes }: EditOutcome & { kind: "planned" },
  workspace: Workspace,
  { signal, storage }: ApplyOptions,
  attempt: number,
): Promise<ChangeReport | undefined> {
  try {
    const real = await Promise.all(changes.map((change) => onDisk(change, workspace)));
    return await changeFiles(real, {
      agentDirectory: workspace.agentDirectory,
      show: (path) => workspace.files.shown(path),
      signal,
      storage,
    });
  } catch (error) {
    const isRace = error instanceof FileProblem && error.code === "changed";
    if (isRace && attempt < MAX_ATTEMPTS) return undefined;
    throw error;
  }
}

async function remember(
  plan: EditOutcome & { kind: "planned" },
  report: ChangeReport,
  workspace: Workspace,
): Promise<AppliedEdit> {
  const warnings = report.recovered.map(({ message }) => message);
  warnings.push(...plan.warnings);
  const changes: AppliedChange[] = [];
  for (const [at, change] of plan.changes.entries()) {
    const { target } = report.files[at]!;
    const note = await outsideNote(workspace, change.moveTo ?? change.path, target);
    warnings.push(...change.warnings, ...(note === undefined ? [] : [note]));
    changes.push({ ...change, target, tag: await record(change, target, workspace) });
  }
  return { kind: "applied", changes, warnings };
}

/** What the model has written it has seen. */
function noteWritten(
  { files }: Workspace,
  target: string,
  { before = "", after }: { before?: string; after: string },
): void {
  const old = new Set(longLines(before));
  for (const line of longLines(after)) if (!old.has(line)) files.seenLines.note(target, line);
}

async function record(
  { path, before, after, moveTo, isBytes }: PlannedChange,
  target: string,
  workspace: Workspace,
): Promise<string | undefined> {
  const { snapshots } = workspace.files;
  if (moveTo !== undefined) snapshots.forget(await workspace.files.identify(path));
  // What read shows of bytes is not what they are here: no tag can mean both.
  if (after === undefined || isBytes === true) {
    snapshots.forget(target);
    return undefined;
  }
  // What was there may be somebody else's work: whoever asks later must see that it came between.
  if (before !== undefined && moveTo === undefined) snapshots.record(target, before);
  noteWritten(workspace, target, { before, after });
  return snapshots.record(target, after, "written").tag;
}
