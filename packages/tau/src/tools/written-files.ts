// Which files the sessions of this process have written or changed, by whatever tool, and what is in them
// now. If one of them is run, it is judged by its content, whichever session runs it: what one may not do
// itself it must not have done by another. Scripts that were there before are their owner's.

import { closeSync, openSync, readSync, statSync, type Stats } from "node:fs";
import { isBelow } from "../base/is-below.ts";
import { canonicalPath } from "../base/same-directory.ts";
import { onDisk } from "@tau/host/walk/byte-path";
import type { FileContent } from "@tau/host/shell-line/shell-context";

/** Longer scripts are not judged but asked about. */
const MAX_SCRIPT_BYTES = 256 * 1024;
/** In one directory; more are not taken: they are looked at before each command. */
const MAX_KEPT = 2000;

/** By the directory that sessions work in, as long as the process lives: the next session there counts too. */
const writtenFrom = new Map<string, Set<string>>();

export class WrittenFiles {
  readonly #directory: string;
  readonly #own: Set<string>;

  constructor(cwd: string) {
    this.#directory = canonicalPath(cwd);
    this.#own = writtenFrom.get(this.#directory) ?? new Set();
    writtenFrom.set(this.#directory, this.#own);
  }

  /** A session may work in a part of the directory of another, or around it. */
  get #paths(): string[] {
    return [...writtenFrom].flatMap(([directory, paths]) =>
      isBelow(directory, this.#directory) || isBelow(this.#directory, directory) ? [...paths] : [],
    );
  }

  /** From when the call is judged: those beside it are judged before it runs. */
  note(paths: Iterable<string>): void {
    for (const path of paths) if (this.#own.size < MAX_KEPT) this.#own.add(path);
  }

  has(path: string): boolean {
    return this.#own.has(path) || this.#paths.includes(path);
  }

  /** Those that a search for a program of this name may find. */
  named(name: string): string[] {
    return this.#paths.filter((path) => path.endsWith(`/${name}`));
  }

  /** Those whose paths begin so. */
  below(prefix: string): string[] {
    return this.#paths.filter((path) => path.startsWith(prefix));
  }

  /** Changes when one of them does. */
  stamp(): string {
    return this.#paths
      .map((path) => {
        const found = statOf(path);
        // The time of change, too: the other one can be set back.
        return found ? `${found.mtimeMs}:${found.ctimeMs}:${found.size}` : "-";
      })
      .join(" ");
  }
}

/** Undefined if it is not there: a copy may be a file where a directory was thought possible. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(onDisk(path));
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === "string") return undefined;
    throw error;
  }
}

/** What is in a file that a command would run; undefined if there is none that can be read. */
export function scriptContent(path: string): FileContent | undefined {
  try {
    // Pipes and devices are not opened: they might never answer.
    const found = statSync(onDisk(path), { throwIfNoEntry: false });
    if (!found?.isFile()) return undefined;
    if (found.size > MAX_SCRIPT_BYTES) return { problem: "too long" };
    const file = openSync(onDisk(path), "r");
    try {
      const bytes = Buffer.alloc(MAX_SCRIPT_BYTES);
      const content = bytes.subarray(0, readSync(file, bytes));
      return content.includes(0) ? { problem: "binary" } : { text: content.toString("utf8") };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    // Gone or forbidden since: whoever runs it cannot read it either.
    if (typeof (error as { code?: unknown }).code === "string") return undefined;
    throw error;
  }
}
