// Where a merge is worked out before anything of it is written: a directory of its own, with git over the parent's
// tree as it is now. One merge at a time into a tree, also among processes.

import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { withLockFile } from "../lock/file-lock.ts";
import { captureBaseline, type Baseline } from "./baseline.ts";
import { IsolationRefused } from "./isolated-tree.ts";
import { OwnGit } from "./own-git.ts";
import { parentRepository, type ParentRepository } from "./parent-repository.ts";
import { ownDirectory, removeDirectory } from "./tree-record.ts";

export interface MergePlace {
  /** The parent's root. */
  root: string;
  /** The same as that of the trees. */
  directory: string;
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
}

export interface MergeRoom {
  /** Where its record is. */
  directory: string;
  git: OwnGit;
  parent: ParentRepository;
  now: Baseline;
}

/** Merges of large trees take seconds, and several may wait. */
const LOCK_WAIT_MS = 120_000;

export interface MergeSubject {
  /** Below the root. */
  repository: string;
  /** More places to look for objects in. */
  objects: readonly string[];
}

/** Rejects with `IsolationRefused` and `LockTimeout`. */
export async function inMergeRoom<T>(
  { root, directory, env, signal }: MergePlace,
  { repository, objects }: MergeSubject,
  work: (room: MergeRoom) => Promise<T>,
): Promise<T> {
  const target = await realpath(join(root, repository)).catch(() => join(root, repository));
  const parent = await parentRepository(target, env);
  if (parent.root !== target) {
    throw new IsolationRefused(`There is no repository at ${target} any more.`);
  }
  await mkdir(join(directory, LOCKS), { recursive: true, mode: 0o700 });
  const name = Bun.hash(parent.root).toString(16);
  const lock = join(directory, LOCKS, `${name}.lock`);
  const merging = async (): Promise<T> => {
    const own = join(directory, `merge-${crypto.randomUUID()}`);
    await ownDirectory(own, { kind: "merge", parent: parent.root });
    try {
      const borrowed = { ...parent, objects: [...parent.objects, ...objects] };
      const git = await OwnGit.create(join(own, OWN_GIT), env, borrowed);
      const index = join(git.directory, "now");
      const now = await captureBaseline(git, parent, { index, signal });
      return await work({ directory: own, git, parent, now });
    } finally {
      await removeDirectory(own);
    }
  };
  return withLockFile(lock, merging, { signal, waitMs: LOCK_WAIT_MS });
}

/** Beside trees and merges. */
export const LOCKS = "locks";
/** In the directory of a merge. */
export const OWN_GIT = "git";
