// Which directories belong to the project that somebody works in. The walk upwards ends at the
// repository's root. Outside of a repository it ends below the home directory; and nowhere does it go
// through a directory in which everybody may put files, because then anybody on the machine could
// speak to the model.

import { lstat, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { systemCode } from "@tau/host/storage-error";
import { MAX_ANCESTORS } from "./limits.ts";

export interface SearchPlaces {
  /** Without links. */
  cwd: string;
  home: string;
  /** The repository's root; without a repository, the working directory. */
  root: string;
  /** The working directory, then those above it that belong to the project. */
  ancestors: readonly string[];
}

/** Anybody may create files there, but only remove their own: /tmp. */
const SHARED_DIRECTORY_BITS = 0o1002;

export async function searchPlaces(given: { cwd: string; home: string }): Promise<SearchPlaces> {
  const cwd = await realOr(given.cwd);
  const home = await realOr(given.home);
  const ancestors = [cwd];
  let repository: string | undefined;
  let isBelowHome = false;
  for (let at = cwd; ancestors.length < MAX_ANCESTORS;) {
    if (await exists(join(at, ".git"))) {
      repository = at;
      break;
    }
    const above = dirname(at);
    if (above === at || at === home) break;
    // What lies in the home directory is the user's, not a project's.
    isBelowHome = above === home;
    if (isBelowHome || (await isShared(above))) break;
    ancestors.push(above);
    at = above;
  }
  if (repository !== undefined) return { cwd, home, root: repository, ancestors };
  return { cwd, home, root: cwd, ancestors: isBelowHome ? ancestors : [cwd] };
}

async function realOr(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return resolve(path);
  }
}

async function isShared(path: string): Promise<boolean> {
  try {
    const { mode } = await stat(path);
    return (mode & SHARED_DIRECTORY_BITS) === SHARED_DIRECTORY_BITS;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return true;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}
