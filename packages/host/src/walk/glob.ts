// What a path with wildcards means: where the walk begins and what it must match. Pure
// functions; `*.ts` looks everywhere, `src/*.ts` only in that directory.

const GLOB_CHARACTER = /[*?[{]/;
const EVERYTHING = "**/*";

export interface GlobSplit {
  /** Where the walk begins, as it was written; "." when the pattern begins with a glob. */
  base: string;
  /** Matched against paths relative to `base`. */
  pattern: string;
  hasGlob: boolean;
  /** The pattern ended in a slash. */
  directoriesOnly: boolean;
}

export function hasGlob(path: string): boolean {
  return GLOB_CHARACTER.test(path);
}

export function splitGlob(input: string): GlobSplit {
  const directoriesOnly = input.length > 1 && input.endsWith("/");
  const path = directoriesOnly ? input.replace(/\/+$/, "") : input;
  const segments = path.split("/");
  const first = segments.findIndex((segment) => GLOB_CHARACTER.test(segment));
  if (first === -1) {
    return { base: path || "/", pattern: EVERYTHING, hasGlob: false, directoriesOnly: false };
  }
  const pattern = segments.slice(first).join("/");
  if (first === 0) {
    const recursive = segments[0] === "**" ? pattern : `**/${pattern}`;
    return { base: ".", pattern: recursive, hasGlob: true, directoriesOnly };
  }
  const base = segments.slice(0, first).join("/") || "/";
  return { base, pattern, hasGlob: true, directoriesOnly };
}

export interface PathGlob {
  matches(path: string): boolean;
  /** No deeper path can match; Infinity when the pattern has `**`. */
  maxDepth: number;
  /**
   * What the last part of every matching path matches, where that is a plain pattern: a
   * hint for others who know names only.
   */
  nameGlob: string | undefined;
}

export function compileGlob(pattern: string): PathGlob {
  const segments = pattern.split("/");
  // Braces may hold slashes, and then the parts between slashes say nothing.
  const isSplit = segments.every((segment) => balancedBraces(segment));
  const isDeep = !isSplit || segments.some((segment) => segment.includes("**"));
  const name = segments.at(-1)!;
  const nameGlob = isSplit && PLAIN_NAME.test(name) && /[^*]/.test(name) ? name : undefined;
  const maxDepth = isDeep ? Infinity : segments.length;
  if (pattern === EVERYTHING || pattern === "**") {
    return { matches: () => true, maxDepth: Infinity, nameGlob: undefined };
  }
  // A leading `!` would turn the whole pattern around.
  const glob = new Bun.Glob(pattern.replace(/^!/, "\\!"));
  return { matches: (path) => glob.match(path), maxDepth, nameGlob };
}

/** Understood alike everywhere: letters, digits, `*`, `?`, and one level of braces. */
const PLAIN_NAME = /^(?:[\w.?*-]|\{[\w.*-]+(?:,[\w.*-]+)*\})+$/;

function balancedBraces(segment: string): boolean {
  return (segment.match(/\{/g)?.length ?? 0) === (segment.match(/\}/g)?.length ?? 0);
}
