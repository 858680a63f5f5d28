// The file system as discovery sees it: each directory is listed once and each path asked about once,
// however many rows of the table want to know, and nothing is listed that lies outside of the
// project. What is too much, too slow or forbidden is a problem with a place, never an exception.

import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { isBelow } from "../base/is-below.ts";
import { systemCode } from "@tau/host/storage-error";
import { listDirectory, type ListedEntry } from "@tau/host/walk/list-directory";
import type { DiscoveryProblem } from "./item.ts";
import { DEADLINE_MS, MAX_ENTRIES } from "./limits.ts";

export type PathKind = "file" | "directory" | "other";

/** Not there, or a part of the way is no directory. */
const ABSENT: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "EINVAL"]);

export class DirectoryReader {
  readonly #kinds = new Map<string, Promise<PathKind | undefined>>();
  readonly #names = new Map<string, Promise<readonly string[]>>();
  readonly #reals = new Map<string, Promise<string | undefined>>();
  readonly #problems = new Map<string, DiscoveryProblem>();
  readonly #deadline: number;
  #isLate = false;

  constructor(deadlineMs: number = DEADLINE_MS) {
    this.#deadline = performance.now() + deadlineMs;
  }

  get problems(): DiscoveryProblem[] {
    return [...this.#problems.values()];
  }

  report(problem: DiscoveryProblem): void {
    this.#problems.set(`${problem.file}\n${problem.line ?? ""}\n${problem.message}`, problem);
  }

  /** Of what a link leads to. */
  kind(path: string): Promise<PathKind | undefined> {
    return once(this.#kinds, path, async () => {
      if (this.isLate(path)) return undefined;
      try {
        const found = await stat(path);
        return found.isFile() ? "file" : found.isDirectory() ? "directory" : "other";
      } catch (error) {
        return this.#failed(path, error);
      }
    });
  }

  real(path: string): Promise<string | undefined> {
    return once(this.#reals, path, async () => {
      try {
        return await realpath(path);
      } catch (error) {
        return this.#failed(path, error);
      }
    });
  }

  /** `root` has no links in it. */
  async isInside(path: string, root: string): Promise<boolean> {
    const real = await this.real(path);
    return real !== undefined && isBelow(real, root);
  }

  /** Sorted. With a root, only of directories that really lie in it. */
  names(directory: string, root: string | undefined): Promise<readonly string[]> {
    return once(this.#names, `${root ?? ""}\n${directory}`, async () => {
      if (this.isLate(directory)) return [];
      if (root !== undefined && !(await this.isInside(directory, root))) {
        const message = "leads out of the project and is not followed";
        this.report({ file: directory, severity: "warning", message });
        return [];
      }
      try {
        const all = await listDirectory(directory);
        const entries = all.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MAX_ENTRIES);
        if (all.length > MAX_ENTRIES) {
          const message = `only the first ${MAX_ENTRIES} of ${all.length} entries are read`;
          this.report({ file: directory, severity: "warning", message });
        }
        await this.#note(directory, entries);
        return entries.map(({ name }) => name);
      } catch (error) {
        return this.#failed(directory, error) ?? [];
      }
    });
  }

  /** What the list says of a file or a directory need not be asked again; a link leads anywhere. */
  async #note(directory: string, entries: readonly ListedEntry[]): Promise<void> {
    const real = await this.real(directory);
    if (real === undefined) return;
    for (const { name, kind, rawName } of entries) {
      if ((kind !== "file" && kind !== "directory") || rawName !== undefined) continue;
      const path = join(directory, name);
      if (!this.#kinds.has(path)) this.#kinds.set(path, Promise.resolve(kind));
      if (!this.#reals.has(path)) this.#reals.set(path, Promise.resolve(join(real, name)));
    }
  }

  isLate(path: string): boolean {
    if (performance.now() <= this.#deadline) return false;
    if (!this.#isLate) {
      const message = "this and everything after it was skipped: it took too long; try again";
      this.report({ file: path, severity: "warning", message });
    }
    this.#isLate = true;
    return true;
  }

  #failed(path: string, error: unknown): undefined {
    const code = systemCode(error);
    if (code === undefined) throw error;
    if (ABSENT.has(code)) return undefined;
    const why = code === "ELOOP" ? "its links form a loop" : `it cannot be read (${code})`;
    this.report({ file: path, severity: "warning", message: why });
    return undefined;
  }
}

function once<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const before = known.get(key);
  if (before) return before;
  const made = make();
  known.set(key, made);
  return made;
}
