// What an isolated tree is to those who use one: a working tree of an agent's own, whose baseline is the parent's
// tree as it was, with what was not committed and what git did not know yet. `isolate.ts` makes one, and what has
// become of it is merged by `merge-patch.ts` and `merge-branch.ts`. See docs/isolation.md.

import type { ProcessWrapper } from "../process/process-wrapper.ts";

export interface IsolationPlace {
  /** Anywhere in the repository. */
  cwd: string;
  /** Tau's own: where trees and their records are kept. */
  directory: string;
  /** Names the tree below it; letters, digits, dots, dashes and underscores. */
  id: string;
  env: Readonly<Record<string, string | undefined>>;
}

export type IsolationMechanism = "overlay" | "worktree";

/** One sentence that a model can act on. */
export class IsolationRefused extends Error {
  override readonly name = "IsolationRefused";
}

export interface IsolatedTree {
  readonly mechanism: IsolationMechanism;
  /** If the faster one was tried in vain: why, as a sentence. */
  readonly fallback?: string;
  /** Where the repository's root is in this tree. Its real path is itself. */
  readonly root: string;
  /** The same place below the root as `cwd` was. */
  readonly cwd: string;
  /**
   * What every process must run in that is to see the tree; its working directory is that of the process as it
   * is started, and stays so. Undefined if everybody sees it anyway.
   */
  readonly enter?: ProcessWrapper;
  /** What commands in a sandbox have to be able to write to. */
  readonly writable: readonly string[];
  changes(): Promise<TreeChanges>;
  /** Ends what holds it and removes it; again is nothing. */
  remove(): Promise<void>;
}

export interface TreeChanges {
  /** One for each repository with changes: the tree's own, and those nested in it. */
  patches: readonly TreePatch[];
  /** Changed, but not in any patch: files too large for one, and repositories that are new. */
  leftOut: readonly string[];
}

export interface TreePatch {
  /** Where the repository is below the root; "" is the root itself. */
  repository: string;
  /** As `git diff --binary` writes it, byte for byte; `git apply` takes it. */
  patch: Uint8Array;
  /** As git names them in a patch without quotes: bytes that are not UTF-8 as `host/walk/byte-path.ts` keeps them. */
  files: readonly string[];
  /** For a three-way merge; good until the tree is removed. */
  trees: PatchTrees;
}

export interface PatchTrees {
  before: string;
  after: string;
  /** What was checked out; undefined if nothing had been committed. */
  head: string | undefined;
  /** The directory that has the objects of both. */
  objects: string;
}
