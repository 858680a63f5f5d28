// What a path leads to, before anything of it is read: a regular file that may be changed, or
// nothing, or a typed refusal. Links are followed; a link to nothing is refused, because making
// a file somewhere else is seldom what was meant by naming it.

import { constants, type Stats } from "node:fs";
import { access, lstat, readlink, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { attempt, systemCode } from "@tau/host/storage-error";
import { isHalfWritten, lostName } from "@tau/host/walk/byte-name";
import { bytePath, onDisk, realBytePath } from "@tau/host/walk/byte-path";
import { FileProblem, type ShowPath } from "./file-problem.ts";

export interface ExistingFile {
  /** Without links. */
  real: string;
  stats: Stats;
  /** The path itself is a link. */
  isLink: boolean;
}

/** Undefined where nothing is there. */
export async function findFile(
  path: string,
  show: ShowPath = (one) => one,
): Promise<ExistingFile | undefined> {
  const entry = await entryAt(path);
  if (!entry) {
    if (isHalfWritten(path)) {
      const said = `${show(path)} has more than a name in $'…'. Name the file alone, as it is listed.`;
      throw new FileProblem("lost_name", path, said);
    }
    const lost = await lostName(path);
    if (lost === undefined) return undefined;
    throw new FileProblem("lost_name", path, lostNameSentence(show(path), show(lost)));
  }
  const isLink = entry.isSymbolicLink();
  const stats = isLink ? await behindLink(path) : entry;
  if (!stats) {
    const link = await attempt("read", path, () => readlink(onDisk(path), { encoding: "buffer" }));
    const target = show(resolve(dirname(path), bytePath(link)));
    throw new FileProblem(
      "dangling_link",
      path,
      `${show(path)} is a link to ${target}, which does not exist. Name that path itself, or remove the link first.`,
    );
  }
  refuseOtherKinds(path, stats, show);
  return { real: await attempt("stat", path, () => realBytePath(path)), stats, isLink };
}

/** For a path with signs in place of its bytes. */
export function lostNameSentence(shown: string, written: string): string {
  return `${shown} has a name that is not UTF-8. Name it as it is listed: ${written}`;
}

/** Without links, as far as the path exists. */
export async function realTarget(path: string): Promise<string> {
  try {
    return await realBytePath(path);
  } catch (error) {
    const code = systemCode(error);
    const parent = dirname(path);
    if ((code !== "ENOENT" && code !== "ENOTDIR") || parent === path) {
      return attempt("stat", path, () => Promise.reject(error));
    }
    return join(await realTarget(parent), basename(path));
  }
}

/** For a file that is to be made: there must be a directory for it, or room for one. */
export async function refuseBelowFile(target: string, show: ShowPath): Promise<void> {
  for (let at = dirname(target); at !== dirname(at); at = dirname(at)) {
    const entry = await entryAt(at);
    if (!entry) continue;
    if (entry.isDirectory()) return;
    throw new FileProblem(
      "below_file",
      target,
      `${show(target)} cannot be made, since ${show(at)} is a file and not a directory. Check the path.`,
    );
  }
}

export async function refuseReadOnly(
  path: string,
  stats: Stats,
  show: ShowPath = (one) => one,
): Promise<void> {
  // The superuser may write to anything; a file that nobody may write to says that it is not
  // to be changed.
  const isMarked = (stats.mode & 0o222) === 0;
  if (!isMarked && (await mayWrite(path))) return;
  throw new FileProblem(
    "read_only",
    path,
    `${show(path)} is read-only. If it is meant to be changed, make it writable first (chmod u+w).`,
  );
}

async function mayWrite(path: string): Promise<boolean> {
  try {
    await access(onDisk(path), constants.W_OK);
    return true;
  } catch (error) {
    if (systemCode(error) !== undefined) return false;
    throw error;
  }
}

/** Undefined where nothing is there; what is below a file is nothing too. */
export async function entryAt(path: string): Promise<Stats | undefined> {
  return attempt("stat", path, () => orMissing(lstat(onDisk(path))));
}

async function behindLink(path: string): Promise<Stats | undefined> {
  return attempt("stat", path, () => orMissing(stat(onDisk(path))));
}

async function orMissing(found: Promise<Stats>): Promise<Stats | undefined> {
  try {
    return await found;
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

function refuseOtherKinds(path: string, stats: Stats, show: ShowPath): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) {
    throw new FileProblem(
      "directory",
      path,
      `${show(path)} is a directory. Name a file inside it.`,
    );
  }
  throw new FileProblem(
    "special",
    path,
    `${show(path)} is not a regular file but a pipe, a socket or a device. Name a regular file.`,
  );
}
