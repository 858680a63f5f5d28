// The `patch` mode: from a unified diff to what becomes of every file it names.

import { applyContextHunks, type ContextOptions } from "../context-patch/apply-context-hunks.ts";
import { PatchError } from "../patch-error.ts";
import {
  type FilePlan,
  type LoadText,
  planAll,
  type PlannedFile,
  refuseExisting,
  requireText,
} from "../planned-file.ts";
import { type DiffFile, parseUnifiedDiff } from "./parse-unified-diff.ts";

export interface DiffOptions extends ContextOptions {
  /** The file of a diff that has no file headers. */
  path?: string;
}

export async function planUnifiedDiff(
  input: string,
  load: LoadText,
  options: DiffOptions = {},
): Promise<FilePlan> {
  return planAll(
    () => {
      const { files, warnings } = parseUnifiedDiff(input);
      refuseTwice(files);
      return { items: files, warnings };
    },
    (file) => planFile(file, load, options),
  );
}

function refuseTwice(files: readonly DiffFile[]): void {
  const seen = new Map<string, number>();
  for (const { oldPath, newPath, patchLine } of files) {
    for (const path of new Set([oldPath, newPath])) {
      if (path === null || path === undefined) continue;
      const earlier = seen.get(path);
      if (earlier !== undefined) {
        throw new PatchError(
          "overlap",
          `${path} is already named on patch line ${earlier}. Put all hunks of a file below one header.`,
          { patchLine, path },
        );
      }
      seen.set(path, patchLine);
    }
  }
}

async function planFile(
  { oldPath, newPath, hunks, patchLine }: DiffFile,
  load: LoadText,
  options: DiffOptions,
): Promise<PlannedFile> {
  const path = oldPath ?? newPath ?? options.path;
  if (path === undefined) {
    throw new PatchError(
      "missing_header",
      "the diff names no file. Begin it with `--- a/PATH` and `+++ b/PATH`.",
      { patchLine },
    );
  }
  if (oldPath === null) {
    await refuseExisting(load, path, patchLine);
    const rows = hunks.flatMap((hunk) => hunk.rows.filter(({ kind }) => kind === "comes"));
    return {
      kind: "create",
      path,
      after: rows.map(({ text }) => `${text}\n`).join(""),
      warnings: [],
    };
  }
  const before = await requireText(load, path, patchLine);
  if (newPath === null) {
    // A diff that deletes a file says what it holds; another content is not meant.
    const isWhole = hunks.length === 0 || applyContextHunks(before, hunks, options).text === "";
    if (isWhole) return { kind: "delete", path, before, warnings: [] };
    throw new PatchError(
      "not_found",
      `${path} holds more lines than the diff deletes. Read it again before deleting it.`,
      { patchLine, path },
    );
  }
  const moveTo = newPath !== undefined && newPath !== path ? newPath : undefined;
  if (moveTo !== undefined) await refuseExisting(load, moveTo, patchLine);
  const { text: after, firstChangedLine, warnings } = applyContextHunks(before, hunks, options);
  const update = { kind: "update", path, before, after, firstChangedLine, warnings } as const;
  return moveTo === undefined ? update : { ...update, moveTo };
}
