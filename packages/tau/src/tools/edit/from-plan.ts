// The plan of a mode that names files by itself, as changes of files here.

import type { FilePlan, PlannedFile } from "@tau/hashline/planned-file";
import type { Workspace } from "../workspace.ts";
import type { EditOutcome, PlannedChange } from "./planned-change.ts";

export function fromPlan(plan: FilePlan, workspace: Workspace): EditOutcome {
  if (plan.kind === "refused") return plan;
  const changes = plan.files.map((file) => fromFile(file, workspace));
  return { kind: "planned", changes, warnings: plan.warnings };
}

function fromFile(file: PlannedFile, workspace: Workspace): PlannedChange {
  const path = workspace.files.resolve(file.path);
  const { warnings } = file;
  const base = { path, blocks: [], warnings };
  if (file.kind === "create") {
    const { after, isExecutable } = file;
    const made = { op: "create" as const, before: undefined, after, firstChangedLine: 1 };
    return { ...base, ...made, isExecutable };
  }
  if (file.kind === "delete") {
    const { before } = file;
    return { ...base, op: "delete", before, after: undefined, firstChangedLine: undefined };
  }
  const { before, after, firstChangedLine, isExecutable } = file;
  const moveTo = file.moveTo === undefined ? undefined : workspace.files.resolve(file.moveTo);
  return { ...base, op: "update", before, after, moveTo, firstChangedLine, isExecutable };
}
