// Makes the moves of a change, takes them back, and clears away what they needed. All of it is
// decided by what is on the disk, never by what was meant to happen, so that it can be done
// again after any crash.

import type { Storage } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";
import { publishFile } from "@tau/host/publish-file";
import { helpersOf, stateOf, type EditStep, type StepState } from "./edit-step.ts";
import { FileProblem } from "./file-problem.ts";

const POINT = { move: "edit.move", undo: "edit.undo", clear: "edit.clear" } as const;

export async function makeMove(storage: Storage, step: EditStep): Promise<void> {
  const point = { point: POINT.move };
  if (step.kind === "replace") return storage.rename(step.temporary, step.target, point);
  if (step.kind === "remove") {
    await storage.remove(step.target, point);
    return;
  }
  if (await publishFile(storage, step.temporary, step.target, point)) return;
  throw new FileProblem(
    "changed",
    step.target,
    `${step.target} was just created. Read it before writing to it.`,
  );
}

/** What it found: `other` was left alone, everything else is as it was before. */
export async function takeBack(storage: Storage, step: EditStep): Promise<StepState> {
  const state = await stateOf(storage, step);
  if (state !== "after") return state;
  const point = { point: POINT.undo };
  if (step.kind === "create") {
    await storage.remove(step.target, point);
    return state;
  }
  // Without a backup there was only this move, and it was made: nothing can be half done.
  if (step.backup === undefined || !(await exists(storage, step.backup))) return "other";
  if (step.kind === "replace") await storage.rename(step.backup, step.target, point);
  else if (!(await publishFile(storage, step.backup, step.target, point))) return "other";
  return state;
}

async function exists(storage: Storage, path: string): Promise<boolean> {
  return (await storage.stat(path)) !== undefined;
}

/** False where something had to stay. */
export async function clearHelpers(storage: Storage, steps: readonly EditStep[]): Promise<boolean> {
  let isClear = true;
  for (const path of steps.flatMap(helpersOf)) {
    try {
      await storage.remove(path, { point: POINT.clear });
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      // Without its directory it is gone as well.
      if (error.code !== "ENOENT" && error.code !== "ENOTDIR") isClear = false;
    }
  }
  return isClear;
}
