// The files of the project that a configuration names: the script of an MCP server, an extension in
// the settings. Who agreed to the command has agreed to the script as it was.

import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { systemCode } from "@tau/host/storage-error";
import { isBelow } from "../base/is-below.ts";
import { CannotVouch } from "./file-hash.ts";

/** Of one entry, which has a few, and of a whole project: each costs a look at the disk. */
const MAX_WORDS = 500;
const MAX_WORDS_IN_ALL = 5000;
/** No path is longer. */
const MAX_WORD_CHARACTERS = 4096;
const MAX_VALUE_DEPTH = 8;

/** How other tools write the project's root. */
const ROOT_WORDS =
  /["']?(?:\$\{?(?:workspaceFolder|workspaceRoot|(?:CLAUDE_|TAU_)?PROJECT_DIR|PWD)(?::-[^}]*)?\}?|\$\(git rev-parse --show-toplevel\))["']?\/?/g;

export interface ReferencedPath {
  path: string;
  kind: "file" | "directory";
}

/** What one decision has looked at so far. */
export interface WordBudget {
  used: number;
}

/** Rejects with `CannotVouch` where there is too much to look at. */
export async function referencedPaths(
  value: unknown,
  { root, file, budget }: { root: string; file: string; budget: WordBudget },
): Promise<ReferencedPath[]> {
  const words = wordsIn(value);
  budget.used += words.size;
  if (words.size > MAX_WORDS || budget.used > MAX_WORDS_IN_ALL) {
    throw new CannotVouch("it is too long to search for file names");
  }
  const found = new Map<string, ReferencedPath>();
  for (const word of words) {
    for (const base of basesOf(root, file)) {
      const path = resolve(base, word);
      if (path === root || !isBelow(path, root) || found.has(path)) continue;
      const kind = await kindOf(path);
      if (kind) found.set(path, { path, kind });
    }
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A tool's own directory stands in the one that it calls the project's. */
export function basesOf(root: string, file: string): string[] {
  return [root, dirname(file), dirname(dirname(file))];
}

/** All that may be the name of a file or a program, in any value. */
export function wordsIn(value: unknown): Set<string> {
  const words = new Set<string>();
  collect(value, words, 0);
  return words;
}

function collect(value: unknown, words: Set<string>, depth: number): void {
  if (depth > MAX_VALUE_DEPTH) return;
  if (typeof value === "string") {
    const plain = value.replace(ROOT_WORDS, "./");
    for (const word of [plain, ...plain.split(/[\s"'`;|&=()<>]+/)]) {
      if (words.size > MAX_WORDS) return;
      if (word !== "" && word.length <= MAX_WORD_CHARACTERS && !word.includes("\0"))
        words.add(word);
    }
  } else if (Array.isArray(value)) {
    for (const one of value) collect(one, words, depth + 1);
  } else if (typeof value === "object" && value !== null) {
    for (const one of Object.values(value)) collect(one, words, depth + 1);
  }
}

async function kindOf(path: string): Promise<ReferencedPath["kind"] | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? "file" : found.isDirectory() ? "directory" : undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
