// The hosts that a user has named in their OpenSSH configuration, found by reading it: nothing is
// run and nothing resolved. `ssh` itself says what a name means when it is used.

import { readFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/** A configuration with more files than this includes itself in a circle. */
const MAX_FILES = 64;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_NAMES = 1000;

/** In the order in which they stand there, each once. Missing files have none. */
export function opensshNames(configFile: string, home: string): string[] {
  const names = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file) || seen.size >= MAX_FILES) return;
    seen.add(file);
    for (const [keyword, ...values] of linesOf(file)) {
      if (keyword === "host") {
        for (const name of values) if (isPlain(name) && names.size < MAX_NAMES) names.add(name);
      } else if (keyword === "include") {
        for (const pattern of values) for (const found of included(pattern, home)) visit(found);
      }
    }
  };
  visit(configFile);
  return [...names];
}

/** Words of each line: the keyword in lower case, then its values without their quotes. */
function linesOf(file: string): string[][] {
  let text: string;
  try {
    text = readFileSync(file, "utf8").slice(0, MAX_FILE_BYTES);
  } catch (error) {
    // Missing or not for us to read: `ssh` will say so where it matters.
    if (typeof (error as { code?: unknown }).code === "string") return [];
    throw error;
  }
  return text.split(/\r?\n/).flatMap((line) => {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) return [];
    const [, keyword = "", rest = ""] = /^(\w+)(?:\s*=\s*|\s+)(.*)$/.exec(trimmed) ?? [];
    const values = [...rest.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!);
    const comment = values.findIndex((value) => value.startsWith("#"));
    return [[keyword.toLowerCase(), ...(comment < 0 ? values : values.slice(0, comment))]];
  });
}

/** A name, not a pattern and not an exception from one. */
function isPlain(name: string): boolean {
  return name !== "" && !/[*?!]/.test(name);
}

/** Relative ones are in the user's own directory, whichever file names them. */
function included(pattern: string, home: string): string[] {
  const expanded = pattern.startsWith("~/") ? join(home, pattern.slice(2)) : pattern;
  const absolute = isAbsolute(expanded) ? expanded : join(home, ".ssh", expanded);
  if (!/[*?[]/.test(absolute)) return [absolute];
  const fixed = absolute.slice(0, absolute.search(/[*?[]/));
  const directory = fixed.endsWith("/") ? fixed.slice(0, -1) || "/" : dirname(fixed);
  const glob = new Bun.Glob(absolute.slice(directory === "/" ? 1 : directory.length + 1));
  try {
    return [...glob.scanSync({ cwd: directory, dot: false })]
      .toSorted()
      .slice(0, MAX_FILES)
      .map((name) => join(directory, name));
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === "string") return [];
    throw error;
  }
}
