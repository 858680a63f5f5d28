// The `patch` mode: from a unified diff to what becomes of every file it names.

import type { ContextOptions } from "../context-patch/apply-context-hunks.ts";
import { PatchError } from "../patch-error.ts";
import {
  type FilePlan,
  type LoadText,
  planAll,
  type PlannedFile,
  refuseExisting,
  requireText,
} from "../planned-file.ts";
import { applyDiffHunks } from "./apply-diff-hunks.ts";
import { chooseNames, type Exists, type NamedDiff } from "./choose-names.ts";
import { type DiffFile, parseUnifiedDiff } from "./parse-unified-diff.ts";

export interface DiffOptions extends ContextOptions {
  /** The file of a diff that has no file headers. */
  path?: string;
  /** Whether anything is at a path, a directory too; by default what can be loaded is. */
  exists?: Exists;
  /** For a diff whose text is not decoded yet, one character for each byte: what a name says. */
  decodeName?: (bytes: string) => string;
}

/** Git's modes; others are of links and of other repositories, whose lines are not text. */
const EXECUTABLE = "100755";
const PLAIN = "100644";

export async function planUnifiedDiff(
  input: string,
  load: LoadText,
  options: DiffOptions = {},
): Promise<FilePlan> {
  let named: NamedDiff[] = [];
  let warnings: string[] = [];
  try {
    const parsed = parseUnifiedDiff(input);
    warnings = parsed.warnings;
    named = await nameFiles(parsed.files, load, options);
    refuseTwice(named);
  } catch (error) {
    if (error instanceof PatchError) return { kind: "refused", failures: [error] };
    throw error;
  }
  return planAll(
    () => ({ items: named, warnings }),
    (file) => planFile(file, load, options),
  );
}

/** The files that a diff means. Throws a `PatchError`. */
export async function nameFiles(
  files: readonly DiffFile[],
  load: LoadText,
  { exists = async (path) => (await load(path)) !== undefined, path, decodeName }: DiffOptions = {},
): Promise<NamedDiff[]> {
  const named: NamedDiff[] = [];
  for (const file of files) {
    named.push(
      await chooseNames(decodeName ? withNames(file, decodeName) : file, { exists, path }),
    );
  }
  return named;
}

function withNames(file: DiffFile, decode: (bytes: string) => string): DiffFile {
  const read = (name: string | undefined) => (name === undefined ? undefined : decode(name));
  const { git, oldName, newName } = file;
  const names = git && {
    ...git,
    renameFrom: read(git.renameFrom),
    renameTo: read(git.renameTo),
    copyFrom: read(git.copyFrom),
    copyTo: read(git.copyTo),
  };
  return { ...file, oldName: read(oldName), newName: read(newName), git: names };
}

function refuseTwice(files: readonly NamedDiff[]): void {
  const seen = new Map<string, number>();
  for (const { oldPath, newPath, file } of files) {
    for (const path of new Set([oldPath, newPath])) {
      if (path === undefined) continue;
      const earlier = seen.get(path);
      if (earlier !== undefined) {
        throw new PatchError(
          "overlap",
          `${path} is already named on patch line ${earlier}. Put all hunks of a file below one header, or apply one diff after the other.`,
          { patchLine: file.patchLine, path },
        );
      }
      seen.set(path, file.patchLine);
    }
  }
}

async function planFile(
  named: NamedDiff,
  load: LoadText,
  options: DiffOptions,
): Promise<PlannedFile> {
  const { file, oldPath, newPath } = named;
  const { git, hunks, patchLine } = file;
  refuseKind(git?.mode, patchLine);
  if (git?.copyFrom !== undefined) return planCopy(named, load, options);
  if (oldPath === undefined) return planCreation(named, load);
  const before = await requireText(load, oldPath, patchLine);
  if (newPath === undefined) {
    // A diff that deletes a file says what it holds; another content is not meant.
    const isEmpty = git?.isDeleted !== true || before === "";
    const isWhole =
      hunks.length === 0 ? isEmpty : applyDiffHunks(before, hunks, options).text === "";
    if (isWhole) return { kind: "delete", path: oldPath, before, warnings: [] };
    throw new PatchError(
      "not_found",
      `${oldPath} holds more lines than the diff deletes. Read it again before deleting it.`,
      { patchLine, path: oldPath },
    );
  }
  const moveTo = newPath === oldPath ? undefined : newPath;
  if (moveTo !== undefined) await refuseExisting(load, moveTo, patchLine);
  const {
    text: after,
    firstChangedLine,
    warnings,
  } = hunks.length === 0
    ? { text: before, firstChangedLine: 1, warnings: [] }
    : applyDiffHunks(before, hunks, options);
  const isExecutable = git?.mode === EXECUTABLE ? true : undefined;
  if (git?.mode === PLAIN && git.isNew !== true) refuseUnexecutable(named, moveTo, warnings);
  const update = { path: oldPath, before, after, moveTo, firstChangedLine, warnings };
  return { kind: "update", ...update, isExecutable };
}

async function planCreation({ file, newPath }: NamedDiff, load: LoadText): Promise<PlannedFile> {
  const { hunks, git, patchLine } = file;
  const path = newPath!;
  await refuseExisting(load, path, patchLine);
  const rows = hunks.flatMap((hunk) => hunk.rows);
  const other = rows.some(({ kind }) => kind !== "comes");
  const bareAt = rows.findIndex(({ isBare }) => isBare);
  if (other || (bareAt >= 0 && bareAt < rows.length - 1)) {
    throw new PatchError(
      "not_found",
      `${path} is created by this diff, but the diff has lines that should be there already. Begin every row with \`+\`.`,
      { patchLine, path },
    );
  }
  const after = rows.map(
    ({ text, hasReturn, isBare }) => `${text}${hasReturn ? "\r" : ""}${isBare ? "" : "\n"}`,
  );
  const isExecutable = git?.mode === EXECUTABLE ? true : undefined;
  return { kind: "create", path, after: after.join(""), warnings: [], isExecutable };
}

async function planCopy(
  { file, newPath }: NamedDiff,
  load: LoadText,
  options: DiffOptions,
): Promise<PlannedFile> {
  const { git, hunks, patchLine } = file;
  await refuseExisting(load, newPath!, patchLine);
  const before = await requireText(load, git!.copyFrom!, patchLine);
  const after = hunks.length === 0 ? before : applyDiffHunks(before, hunks, options).text;
  const isExecutable = git!.mode === EXECUTABLE ? true : undefined;
  return { kind: "create", path: newPath!, after, warnings: [], isExecutable };
}

function refuseKind(mode: string | undefined, patchLine: number): void {
  if (mode === undefined || mode === EXECUTABLE || mode === PLAIN) return;
  throw new PatchError(
    "foreign_marker",
    `mode ${mode} is that of a link or of another repository, which cannot be made here. Leave this file out, or apply it with \`git apply\`.`,
    { patchLine },
  );
}

/** Permissions are only ever added here. */
function refuseUnexecutable(
  { file: { hunks, patchLine }, oldPath }: NamedDiff,
  moveTo: string | undefined,
  warnings: string[],
): void {
  const remedy = `Use \`chmod -x ${moveTo ?? oldPath}\`.`;
  if (hunks.length > 0 || moveTo !== undefined) {
    warnings.push(`The file's permissions were left as they are. ${remedy}`);
    return;
  }
  throw new PatchError("no_change", `this part only takes a permission away. ${remedy}`, {
    patchLine,
    path: oldPath,
  });
}
