// The files that a pattern finds below a directory.

import { dirname, join } from "node:path";
import type { DirectoryReader } from "./directory-reader.ts";
import { MAX_NESTING } from "./limits.ts";
import type { Pattern, Segment } from "./pattern.ts";

export interface Candidate {
  path: string;
  /** Where the fixed part of the pattern ends. */
  holder: string;
  /** What the name has in place of nothing: `.prompt.md` for `*.prompt.md`. */
  tail: string;
}

interface Step {
  reader: DirectoryReader;
  segments: readonly Segment[];
  /** What may not be left, for a project. */
  root: string | undefined;
}

export async function expandPattern(
  reader: DirectoryReader,
  base: string,
  pattern: Pattern,
  root: string | undefined,
): Promise<Candidate[]> {
  return expand({ reader, segments: pattern.segments, root }, base, 0, undefined, 0);
}

async function expand(
  step: Step,
  directory: string,
  at: number,
  holder: string | undefined,
  nesting: number,
): Promise<Candidate[]> {
  const { reader, segments, root } = step;
  const segment = segments[at]!;
  if (segment.type === "deep") {
    const found = await expand(step, directory, at + 1, holder ?? directory, 0);
    if (nesting >= MAX_NESTING) return found;
    for (const name of await reader.names(directory, root)) {
      const below = join(directory, name);
      if (name.startsWith(".") || (await reader.kind(below)) !== "directory") continue;
      // Through a link one could come back to where one is.
      if ((await reader.real(below)) !== join((await reader.real(directory)) ?? "", name)) continue;
      found.push(...(await expand(step, below, at, holder ?? directory, nesting + 1)));
    }
    return found;
  }
  // A choice of names ends the fixed part too, except for the tool's own directory.
  const isFixed = segment.type === "names" && (segment.names.length === 1 || at === 0);
  const fixed = isFixed ? holder : (holder ?? directory);
  const names =
    segment.type === "names"
      ? segment.names
      : (await reader.names(directory, root)).filter(segment.matches);
  const found: Candidate[] = [];
  for (const name of names) {
    const path = join(directory, name);
    const kind = await reader.kind(path);
    if (at < segments.length - 1) {
      if (kind === "directory") found.push(...(await expand(step, path, at + 1, fixed, nesting)));
    } else if (kind === "file") {
      const tails = segment.type === "glob" ? segment.tails : [];
      const tail = tails.find((one) => name.endsWith(one)) ?? "";
      found.push({ path, holder: fixed ?? dirname(path), tail });
    }
  }
  return found;
}
