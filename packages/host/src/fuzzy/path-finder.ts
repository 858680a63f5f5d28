// Completes paths of a workspace while somebody types. The listing is kept and refreshed
// in the background: an answer never waits for a walk, except for the very first, and that
// only for a moment.

import { walkTree } from "../walk/walk-tree.ts";
import { prepareCandidates, type PathCandidates } from "./path-candidates.ts";
import { rankPaths, type RankedPath } from "./rank-paths.ts";
import type { PathUse } from "./frecency.ts";

/** Memory and the time of one keystroke; larger workspaces are listed from their top. */
const MAX_PATHS = 100_000;
/** A file made a moment ago should be there by the time its name is typed. */
const FRESH_MS = 2000;
/** A walk that takes longer goes on with what it has. */
const WALK_TIMEOUT_MS = 5000;
/** How long the first answer waits. */
const FIRST_ANSWER_MS = 500;

export interface PathFinderOptions {
  root: string;
  /** On unless false. */
  gitignore?: boolean;
  /** On unless false. */
  hidden?: boolean;
  maxPaths?: number;
  freshMs?: number;
  firstAnswerMs?: number;
}

export interface PathQuery {
  query: string;
  limit: number;
  uses?: readonly PathUse[];
  signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  now?: number;
}

export interface PathAnswer {
  paths: readonly RankedPath[];
  /** The listing is not there yet, or lacks a part of the workspace. */
  isPartial: boolean;
}

interface Listing {
  candidates: PathCandidates;
  isPartial: boolean;
  /** Equal for equal listings, in whatever order they were walked. */
  fingerprint: string;
  /** On the clock of `performance.now()`. */
  at: number;
}

export class PathFinder implements Disposable {
  readonly #options: PathFinderOptions;
  readonly #stop = new AbortController();
  #listing: Listing | undefined;
  #refreshing: Promise<void> | undefined;
  #failure: unknown;

  constructor(options: PathFinderOptions) {
    this.#options = options;
  }

  async find({ query, limit, uses, signal, now }: PathQuery): Promise<PathAnswer> {
    signal?.throwIfAborted();
    const age = performance.now() - (this.#listing?.at ?? -Infinity);
    if (age > (this.#options.freshMs ?? FRESH_MS)) this.#startRefresh();
    if (!this.#listing) {
      const patience = this.#options.firstAnswerMs ?? FIRST_ANSWER_MS;
      await Promise.race([this.#refreshing, Bun.sleep(patience)]);
    }
    signal?.throwIfAborted();
    this.#throwFailure();
    if (!this.#listing) return { paths: [], isPartial: true };
    const { candidates, isPartial } = this.#listing;
    const rank = { query, limit, now: now ?? Date.now(), uses };
    return { paths: await rankPaths(candidates, rank), isPartial };
  }

  /** Until the listing is as new as this call; for those who just made a file. */
  async refresh(): Promise<void> {
    await this.#refreshing;
    this.#startRefresh();
    await this.#refreshing;
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }

  /** Once; the next walk may go well. */
  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }

  #startRefresh(): void {
    if (this.#refreshing || this.#stop.signal.aborted) return;
    this.#refreshing = this.#list().then(
      (listing) => {
        this.#listing = listing;
        this.#refreshing = undefined;
      },
      (error: unknown) => {
        this.#refreshing = undefined;
        // Told to whoever asks next; an end that was wanted is no failure.
        if (!this.#stop.signal.aborted) this.#failure = error;
      },
    );
  }

  async #list(): Promise<Listing> {
    const { root, gitignore = true, hidden = true, maxPaths = MAX_PATHS } = this.#options;
    const paths: string[] = [];
    let sum = 0;
    const { end } = await walkTree({
      root,
      gitignore,
      hidden,
      signal: this.#stop.signal,
      deadline: performance.now() + WALK_TIMEOUT_MS,
      onEntries(entries) {
        for (const entry of entries) {
          const path = entry.kind === "directory" ? `${entry.path}/` : entry.path;
          sum += Bun.hash.crc32(path);
          paths.push(path);
        }
        return paths.length < maxPaths;
      },
    });
    const fingerprint = `${paths.length} ${sum}`;
    // Nothing has changed, as nearly always: what was prepared stays.
    const known = this.#listing?.fingerprint === fingerprint ? this.#listing.candidates : undefined;
    const candidates = known ?? (await prepareCandidates(paths.slice(0, maxPaths)));
    return { candidates, fingerprint, isPartial: end !== "complete", at: performance.now() };
  }
}
