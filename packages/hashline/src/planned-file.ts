// What the modes that name files by themselves (unified diffs, apply_patch) want done, and
// the part of planning they share. Nothing is written here.

import { PatchError } from "./patch-error.ts";

export type PlannedFile =
  | {
      kind: "create";
      path: string;
      after: string;
      warnings: string[];
      /** Whoever may read it may run it. */
      isExecutable?: boolean;
    }
  | { kind: "delete"; path: string; before: string; warnings: string[] }
  | {
      kind: "update";
      path: string;
      before: string;
      after: string;
      /** The file's new path, if it moves. */
      moveTo?: string;
      firstChangedLine: number;
      warnings: string[];
      isExecutable?: boolean;
    };

export type FilePlan =
  | { kind: "planned"; files: PlannedFile[]; warnings: string[] }
  /** One for each file that cannot be done. Nothing may be written. */
  | { kind: "refused"; failures: [PatchError, ...PatchError[]] };

export type LoadText = (path: string) => string | undefined | Promise<string | undefined>;

/** Plans every file, so that all refusals are told at once. */
export async function planAll<Item>(
  read: () => { items: readonly Item[]; warnings: string[] },
  plan: (item: Item) => Promise<PlannedFile>,
): Promise<FilePlan> {
  const failures: PatchError[] = [];
  const files: PlannedFile[] = [];
  let warnings: string[] = [];
  try {
    const patch = read();
    warnings = patch.warnings;
    for (const item of patch.items) {
      const outcome = await plan(item).catch(asRefusal);
      if (outcome instanceof PatchError) failures.push(outcome);
      else files.push(outcome);
    }
  } catch (error) {
    failures.push(asRefusal(error));
  }
  const [first, ...rest] = failures;
  if (first) return { kind: "refused", failures: [first, ...rest] };
  return { kind: "planned", files, warnings };
}

export function asRefusal(error: unknown): PatchError {
  if (error instanceof PatchError) return error;
  throw error;
}

export async function requireText(
  load: LoadText,
  path: string,
  patchLine: number,
): Promise<string> {
  const text = await load(path);
  if (text !== undefined) return text;
  throw new PatchError("missing_file", `${path} does not exist. Check the path.`, {
    patchLine,
    path,
  });
}

export async function refuseExisting(
  load: LoadText,
  path: string,
  patchLine: number,
): Promise<void> {
  if ((await load(path)) === undefined) return;
  throw new PatchError(
    "file_exists",
    `${path} exists already. Update it instead of adding it, or choose another path.`,
    { patchLine, path },
  );
}
