// Which files a pattern of another tool means. As in .gitignore: a name without a slash fits at any
// depth, a star stays within a name, and what fits a directory fits everything below it.

import { homedir } from "node:os";
import { posix } from "node:path";
import type { RulePlaces } from "./home-rules.ts";

/** Patterns as `Bun.Glob` reads them, for paths as Tau shows them: relative inside the project, absolute outside. */
export function pathGlobs(pattern: string, places: Partial<RulePlaces> = {}): string[] {
  const anchored = anchoredPattern(pattern.trim(), places);
  const bare = anchored.replace(/\/+$/, "");
  if (bare === "" || bare === ".") return ["**"];
  const tops = bare.includes("/") ? [bare] : [bare, `**/${bare}`];
  return tops.flatMap((top) => (top.endsWith("**") ? [top] : [top, `${top}/**`]));
}

/** `//x` is absolute, `~/x` of the user; `/x` and `./x` begin at the project, `../x` beside it. */
function anchoredPattern(pattern: string, { home = homedir(), cwd }: Partial<RulePlaces>): string {
  if (pattern.startsWith("//")) return pattern.slice(1);
  if (pattern.startsWith("~/")) return home + pattern.slice(1);
  const tidy = posix.normalize(pattern);
  if (tidy.startsWith("../") && cwd !== undefined) return posix.join(cwd, tidy);
  return pattern.replace(/^\.?\//, "");
}

/** A hidden file is one like any other: whoever refuses `*.env` means `.env` too. */
export function fitsPath(globs: readonly string[], path: string): boolean {
  return globs.some((glob) => globOf(glob).match(path));
}

const parsed = new Map<string, Bun.Glob>();
/** Rules are few and stay; what comes after that many is parsed each time. */
const MAX_PARSED = 1000;

function globOf(text: string): Bun.Glob {
  const known = parsed.get(text);
  if (known) return known;
  const glob = new Bun.Glob(text);
  if (parsed.size < MAX_PARSED) parsed.set(text, glob);
  return glob;
}
