// Finds paths by glob, newest first over the whole of the trees: the limit bounds what is
// kept, not what is looked at. Running out of time is a success with what was found so far.

import { lstat, stat } from "node:fs/promises";
import { systemCode } from "../storage-error.ts";
import { BoundedBest } from "./bounded-best.ts";
import { bytePath, onDisk } from "./byte-path.ts";
import { compileGlob, type PathGlob } from "./glob.ts";
import { ModifiedTimes } from "./modified-times.ts";
import { SeenPaths } from "./seen-paths.ts";
import { walkTree, type WalkedEntry } from "./walk-tree.ts";

export interface FindTarget {
  /** Absolute; a directory to walk, or a file, which is found itself. */
  root: string;
  /** Relative to `root`; everything when it is left out. */
  pattern?: string;
  directoriesOnly?: boolean;
}

export interface FoundPath {
  /** Absolute, with a slash at its end if it is a directory. */
  path: string;
  modifiedMs: number;
}

export interface FindProgress {
  /** The newest so far, newest first. */
  found: readonly FoundPath[];
  matched: number;
  scanned: number;
}

export interface FindOptions {
  targets: readonly FindTarget[];
  limit: number;
  /** On unless false. */
  gitignore?: boolean;
  /** On unless false. */
  hidden?: boolean;
  timeoutMs?: number;
  signal?: AbortSignal;
  onProgress?: (progress: FindProgress) => void;
  progressEveryMs?: number;
}

export interface FindResult {
  found: readonly FoundPath[];
  /** All that matched, also those over the limit. */
  matched: number;
  /** Entries looked at, ignored ones apart. */
  scanned: number;
  limitReached: boolean;
  timedOut: boolean;
  /** Directories that could not be read. */
  unreadable: number;
  /** Roots that are not there. */
  missing: readonly string[];
}

const DEFAULT_FIND_TIMEOUT_MS = 5000;
const PROGRESS_EVERY_MS = 200;

/** Equal times are common after a checkout; names make the order certain. */
function newestFirst(a: FoundPath, b: FoundPath): number {
  return b.modifiedMs - a.modifiedMs || (a.path < b.path ? -1 : Number(a.path > b.path));
}

export async function findPaths(options: FindOptions): Promise<FindResult> {
  const { targets, limit, signal, timeoutMs = DEFAULT_FIND_TIMEOUT_MS } = options;
  signal?.throwIfAborted();
  const deadline = performance.now() + timeoutMs;
  const best = new BoundedBest<FoundPath>(limit, newestFirst);
  const times = new ModifiedTimes();
  const counts = { scanned: 0, unreadable: 0, timedOut: false };
  const missing: string[] = [];
  const report = progressReporter(options, best, counts);
  const seen = new SeenPaths(targets.map(({ root }) => root));

  for (const target of targets) {
    const scope = new FindScope(target);
    const own = await entryItself(scope.root);
    if (own === undefined) missing.push(target.root);
    else if (own.kind === "file" && seen.isNew(own.path)) best.offer(own);
    if (own?.kind !== "directory") continue;
    const { end, unreadable } = await walkTree({
      root: scope.root,
      gitignore: options.gitignore !== false,
      hidden: options.hidden !== false,
      maxDepth: scope.maxDepth,
      signal,
      deadline,
      async onEntries(entries) {
        const matching = entries.filter(
          (entry) => scope.matches(entry) && seen.isNew(scope.absolute(entry)),
        );
        const modified = await times.of(matching.map(({ location }) => location));
        for (const [at, entry] of matching.entries()) {
          const path = `${scope.absolute(entry)}${entry.kind === "directory" ? "/" : ""}`;
          const modifiedMs = modified[at];
          if (modifiedMs !== undefined) best.offer({ path, modifiedMs });
        }
        counts.scanned += entries.length;
        report();
        return true;
      },
    });
    counts.unreadable += unreadable;
    counts.timedOut ||= end === "timeout";
  }
  signal?.throwIfAborted();
  return {
    found: best.sorted(),
    matched: best.offered,
    limitReached: best.offered > limit,
    missing,
    ...counts,
  };
}

class FindScope {
  readonly root: string;
  /** The root with one slash at its end. */
  readonly prefix: string;
  readonly #glob: PathGlob;
  readonly #directoriesOnly: boolean;

  constructor({ root, pattern = "**/*", directoriesOnly = false }: FindTarget) {
    this.root = root === "/" ? root : root.replace(/\/+$/, "");
    this.prefix = root === "/" ? root : `${this.root}/`;
    this.#glob = compileGlob(pattern);
    this.#directoriesOnly = directoriesOnly;
  }

  get maxDepth(): number {
    return this.#glob.maxDepth;
  }

  absolute({ path, location }: WalkedEntry): string {
    return typeof location === "string" ? `${this.prefix}${path}` : bytePath(location);
  }

  matches({ path, kind }: WalkedEntry): boolean {
    return (!this.#directoriesOnly || kind === "directory") && this.#glob.matches(path);
  }
}

async function entryItself(
  root: string,
): Promise<(FoundPath & { kind: "directory" | "file" }) | undefined> {
  try {
    const own = await lstat(onDisk(root));
    // A root that is a link was named on purpose: what it leads to is walked.
    const status = own.isSymbolicLink() ? await stat(onDisk(root)) : own;
    const kind = status.isDirectory() ? "directory" : "file";
    return { path: root, modifiedMs: own.mtimeMs, kind };
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

function progressReporter(
  options: FindOptions,
  best: BoundedBest<FoundPath>,
  counts: { scanned: number },
): () => void {
  const { onProgress, progressEveryMs = PROGRESS_EVERY_MS } = options;
  if (!onProgress) return () => {};
  let last = performance.now();
  return () => {
    if (performance.now() - last < progressEveryMs) return;
    last = performance.now();
    onProgress({ found: best.sorted(), matched: best.offered, scanned: counts.scanned });
  };
}
