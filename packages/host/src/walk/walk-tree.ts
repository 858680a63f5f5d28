// Walks a tree breadth first, several directories at a time, and hands over what is not
// ignored. Links are reported, never followed, so that a loop of them cannot hold it;
// nothing is opened but ignore files. A deadline ends it with what it has; so does a
// consumer who has enough.

import { systemCode } from "../storage-error.ts";
import { bytePath, onDisk } from "./byte-path.ts";
import type { IgnoreRules } from "./ignore-rules.ts";
import {
  childPath,
  listDirectory,
  type DirectoryPath,
  type EntryKind,
  type ListedEntry,
} from "./list-directory.ts";
import { ignoreFileText, repositoryRules, rulesAbove } from "./repository-rules.ts";

/** Enough to hide the wait for a disk; more only queue up in the same few threads. */
const DIRECTORIES_AT_ONCE = 16;

export interface WalkedEntry {
  /** Relative to the root of the walk, with slashes. */
  path: string;
  kind: EntryKind;
  /** How to reach it, in bytes where its name is no UTF-8. */
  location: DirectoryPath;
}

export interface WalkOptions {
  root: string;
  gitignore: boolean;
  hidden: boolean;
  /** 1 is the root's own entries. */
  maxDepth?: number;
  signal?: AbortSignal | undefined;
  /** On the clock of `performance.now()`. */
  deadline?: number;
  /** The entries of one directory, in no order. False ends the walk. */
  onEntries(entries: readonly WalkedEntry[]): boolean | Promise<boolean>;
}

export interface WalkReport {
  end: "complete" | "timeout" | "stopped";
  entries: number;
  unreadable: number;
}

/** Rules, and how a path of the walk is called from their root. */
interface RulesScope {
  rules: IgnoreRules;
  /** Put before it, where the rules begin above the walk. */
  prefix: string;
  /** Taken off it, where they begin within. */
  cut: number;
}

interface Waiting {
  location: DirectoryPath;
  /** "" for the root, else with a slash at its end. */
  prefix: string;
  depth: number;
  scope: RulesScope | undefined;
}

export async function walkTree(options: WalkOptions): Promise<WalkReport> {
  options.signal?.throwIfAborted();
  const walk = new Walk(options);
  return walk.run();
}

class Walk {
  readonly #options: WalkOptions;
  readonly #report: WalkReport = { end: "complete", entries: 0, unreadable: 0 };
  readonly #done = Promise.withResolvers<void>();
  #queue: Waiting[] = [];
  #next = 0;
  #active = 0;
  #isOver = false;

  constructor(options: WalkOptions) {
    this.#options = options;
  }

  async run(): Promise<WalkReport> {
    const { signal, deadline = Infinity, root, gitignore } = this.#options;
    const onAbort = (): void => this.#finish("stopped");
    signal?.addEventListener("abort", onAbort, { once: true });
    // A read that never comes back is not waited for.
    const timer =
      deadline === Infinity
        ? undefined
        : setTimeout(() => this.#finish("timeout"), Math.max(0, deadline - performance.now()));
    try {
      const scope = gitignore ? await outerScope(root) : undefined;
      this.#queue.push({ location: onDisk(root), prefix: "", depth: 1, scope });
      this.#pump();
      await this.#done.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
    signal?.throwIfAborted();
    return this.#report;
  }

  #finish(end: WalkReport["end"]): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#report.end = end;
    this.#done.resolve();
  }

  #pump(): void {
    while (this.#active < DIRECTORIES_AT_ONCE && this.#next < this.#queue.length) {
      const waiting = this.#queue[this.#next]!;
      this.#next += 1;
      this.#active += 1;
      this.#visit(waiting).then(
        () => {
          this.#active -= 1;
          if (!this.#isOver) this.#pump();
        },
        (error: unknown) => {
          this.#isOver = true;
          this.#done.reject(error);
        },
      );
    }
    this.#forgetVisited();
    if (this.#active === 0) this.#finish("complete");
  }

  #forgetVisited(): void {
    if (this.#next < 1024 || this.#next * 2 < this.#queue.length) return;
    this.#queue = this.#queue.slice(this.#next);
    this.#next = 0;
  }

  async #visit(directory: Waiting): Promise<void> {
    if (performance.now() > (this.#options.deadline ?? Infinity)) return this.#finish("timeout");
    const listed = await this.#list(directory);
    if (listed === undefined || this.#isOver) return;
    const scope = await innerScope(directory, listed);
    const { hidden, maxDepth = Infinity } = this.#options;
    const entries: WalkedEntry[] = [];
    for (const entry of listed) {
      if (entry.name === ".git" || (!hidden && entry.name.startsWith("."))) continue;
      const path = `${directory.prefix}${entry.name}`;
      if (scope && isIgnored(scope, path, entry.kind)) continue;
      const location = childPath(directory.location, entry);
      entries.push({ path, kind: entry.kind, location });
      if (entry.kind === "directory" && directory.depth < maxDepth) {
        this.#queue.push({ location, prefix: `${path}/`, depth: directory.depth + 1, scope });
      }
    }
    if (this.#isOver || entries.length === 0) return;
    this.#report.entries += entries.length;
    if (!(await this.#options.onEntries(entries))) this.#finish("stopped");
  }

  async #list(directory: Waiting): Promise<ListedEntry[] | undefined> {
    try {
      return await listDirectory(directory.location);
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      this.#report.unreadable += 1;
      return undefined;
    }
  }
}

async function outerScope(root: string): Promise<RulesScope> {
  const { rules, prefix } = await rulesAbove(root);
  return { rules, prefix: prefix === "" ? "" : `${prefix}/`, cut: 0 };
}

/** What holds inside a directory: a repository within the walk begins anew. */
async function innerScope(
  directory: Waiting,
  listed: readonly ListedEntry[],
): Promise<RulesScope | undefined> {
  const { scope, location, prefix } = directory;
  if (scope === undefined) return scope;
  const place = typeof location === "string" ? location : bytePath(location);
  const has = (name: string): boolean => listed.some((entry) => entry.name === name);
  const base = has(".git")
    ? { rules: await repositoryRules(place), prefix: "", cut: prefix.length }
    : scope;
  if (!has(".gitignore")) return base;
  const from = `${base.prefix}${prefix.slice(base.cut)}`.replace(/\/$/, "");
  return { ...base, rules: base.rules.with(from, await ignoreFileText(`${place}/.gitignore`)) };
}

function isIgnored({ rules, prefix, cut }: RulesScope, path: string, kind: EntryKind): boolean {
  return rules.ignores(`${prefix}${path.slice(cut)}`, kind === "directory" ? kind : "other");
}
