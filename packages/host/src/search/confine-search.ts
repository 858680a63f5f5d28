// What a confined search engine sees: the files and trees that it searches, and above them what says which
// files to pass over and where a repository begins.

import { dirname, join } from "node:path";
import { isByteName } from "../walk/byte-path.ts";
import { confinedReader, type ConfineReader } from "../sandbox/confine-reader.ts";
import type { SearchTarget } from "./search-query.ts";

const RULES_ABOVE = [".gitignore", ".git/info/exclude", ".git/HEAD"];

export function confinedTo(
  targets: readonly SearchTarget[],
  confine: ConfineReader,
): (argv: readonly string[], cwd: string) => Promise<string[]> {
  const reads = targets.flatMap((target) => {
    // What cannot be an argument is opened here and given to the engine as its input.
    if (target.kind !== "text" && isByteName(target.path)) return [];
    if (target.kind === "file") return [target.path];
    return target.kind === "directory" ? [target.path, ...rulesAbove(target.path)] : [];
  });
  return (argv, cwd) => confinedReader(argv, { isOwn: false, reads, cwd }, confine);
}

function rulesAbove(path: string): string[] {
  const found: string[] = [];
  for (let at = path; at !== dirname(at);) {
    at = dirname(at);
    found.push(...RULES_ABOVE.map((name) => join(at, name)));
  }
  return found;
}
