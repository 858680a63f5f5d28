// Which files a diff means. Names carry a prefix (`a/` and `b/`, `orig/` and `new/`, a version's
// directory) that `patch -p1` cuts off, or none, and what is there decides. Where both readings
// lead to a file, neither is taken.

import { PatchError } from "../patch-error.ts";
import { withoutFirst } from "./diff-name.ts";
import type { DiffFile } from "./parse-unified-diff.ts";

export type Exists = (path: string) => boolean | Promise<boolean>;

/** What becomes of which file. */
export interface NamedDiff {
  file: DiffFile;
  /** Undefined if the file is new. */
  oldPath: string | undefined;
  /** Undefined if the file goes. */
  newPath: string | undefined;
}

export interface NameOptions {
  exists: Exists;
  /** The file of a diff that has no file headers. */
  path?: string;
}

type Names = [old: string | undefined, made: string | undefined];

/** Git's own, and those that say what is compared (commit, index, object, work tree). */
const GIT_PREFIXES = new Set(["a/b/", "i/w/", "c/i/", "c/w/", "o/w/"]);
/** What `diff` or an editor has beside the file that is meant. */
const BACKUP = /(?:\.orig|\.old|\.bak|~)$/;

/** Throws a `PatchError` if no name or more than one can be meant. */
export async function chooseNames(file: DiffFile, options: NameOptions): Promise<NamedDiff> {
  const { git, oldName, newName, patchLine } = file;
  if (git?.renameFrom !== undefined && git.renameTo !== undefined) {
    return { file, oldPath: git.renameFrom, newPath: git.renameTo };
  }
  if (git?.copyFrom !== undefined && git.copyTo !== undefined) {
    return { file, oldPath: undefined, newPath: git.copyTo };
  }
  if (oldName === undefined && newName === undefined) {
    if (options.path !== undefined) {
      return { file, oldPath: options.path, newPath: options.path };
    }
    throw new PatchError(
      "missing_header",
      "the diff names no file. Begin it with `--- a/PATH` and `+++ b/PATH`.",
      { patchLine },
    );
  }
  const names = await chooseLevel(file, options.exists);
  return decide(file, names, options.exists);
}

async function chooseLevel(file: DiffFile, exists: Exists): Promise<Names> {
  const whole = namesOf(file, tidy);
  const cut = namesOf(file, (name) => withoutFirst(tidy(name)));
  const isCutable = namesOf(file, tidy).every(
    (name) => name === undefined || /^[^/]+\/+[^/]/.test(name),
  );
  const hasDot = namesOf(file, (name) => name).some((name) => name?.startsWith("./"));
  if (!isCutable || hasDot) return whole;
  const [isWhole, isCut] = [await anyExists(whole, exists), await anyExists(cut, exists)];
  const isEvident = hasGitPrefix(whole) || hasOtherPrefix(whole);
  if (isCut && isWhole && !hasGitPrefix(whole)) throw twoReadings(file, whole, cut);
  if (isCut) return cut;
  if (isWhole) return whole;
  if (isEvident) return cut;
  // A new file goes where its directory is.
  const parents: Names = [undefined, parentOf(cut[1] ?? "")];
  const isCutPlace = parents[1] !== "" && (await anyExists(parents, exists));
  const isWholePlace = await anyExists([undefined, parentOf(whole[1] ?? "")], exists);
  return isCutPlace && !isWholePlace ? cut : whole;
}

async function decide(file: DiffFile, [old, made]: Names, exists: Exists): Promise<NamedDiff> {
  const only = made ?? old!;
  // Names of a file that is not there before or after are often those of both sides.
  if (file.isCreated) return { file, oldPath: undefined, newPath: only };
  if (file.isDeleted) return { file, oldPath: old ?? only, newPath: undefined };
  const isNew = file.hunks.length === 1 && file.hunks[0]!.hintLine === 0;
  if (old === made || old === undefined || made === undefined) {
    const isThere = await exists(only);
    const addsOnly = isNew && file.hunks[0]!.rows.every(({ kind }) => kind === "comes");
    return { file, oldPath: !isThere && addsOnly ? undefined : only, newPath: only };
  }
  const [isOld, isMade] = [await exists(old), await exists(made)];
  const isBackup = BACKUP.test(old) && old.replace(BACKUP, "") === made;
  if (isMade && (!isOld || isBackup)) return { file, oldPath: made, newPath: made };
  return { file, oldPath: old, newPath: file.isComparison && !isMade ? old : made };
}

function namesOf({ oldName, newName }: DiffFile, read: (name: string) => string): Names {
  return [
    oldName === undefined ? undefined : read(oldName),
    newName === undefined ? undefined : read(newName),
  ];
}

function tidy(name: string): string {
  return name.replace(/^(?:\.\/+)+/, "");
}

async function anyExists(names: Names, exists: Exists): Promise<boolean> {
  for (const name of names) if (name !== undefined && (await exists(name))) return true;
  return false;
}

function hasGitPrefix([old, made]: Names): boolean {
  if (old === undefined) return made!.startsWith("b/");
  if (made === undefined) return old.startsWith("a/");
  return GIT_PREFIXES.has(`${old.slice(0, 2)}${made.slice(0, 2)}`);
}

function hasOtherPrefix([old, made]: Names): boolean {
  if (old === undefined || made === undefined || old === made) return false;
  return withoutFirst(old) === withoutFirst(made);
}

function parentOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

function twoReadings({ patchLine }: DiffFile, whole: Names, cut: Names): PatchError {
  const [one, other] = [whole[1] ?? whole[0], cut[1] ?? cut[0]];
  return new PatchError(
    "ambiguous_match",
    `${one} and ${other} are both there, and the header may mean either. Write \`--- a/${one}\` and \`+++ b/${one}\`.`,
    { patchLine, path: one },
  );
}
