// Where a path that does not exist probably is: the one path of the workspace that ends in
// it. Two candidates are none, since reading the wrong file is worse than asking again.

import { walkTree } from "./walk-tree.ts";

export type SuffixMatch =
  | { kind: "unique"; path: string }
  /** A few of them, for the message; there may be more. */
  | { kind: "ambiguous"; paths: readonly string[] }
  | { kind: "none" }
  /** Too large to be sure within the time. */
  | { kind: "timeout" };

const SUFFIX_MATCH_TIMEOUT_MS = 5000;
const MAX_CANDIDATES = 5;

export interface SuffixMatchOptions {
  root: string;
  /** As it was mistyped: relative or absolute. */
  path: string;
  timeoutMs?: number;
  signal?: AbortSignal;
}

export async function findBySuffix(options: SuffixMatchOptions): Promise<SuffixMatch> {
  const { root, path, signal, timeoutMs = SUFFIX_MATCH_TIMEOUT_MS } = options;
  const suffix = normalSuffix(root, path);
  if (suffix === undefined) return { kind: "none" };
  const candidates: string[] = [];
  const { end } = await walkTree({
    root,
    gitignore: true,
    hidden: true,
    signal,
    deadline: performance.now() + timeoutMs,
    onEntries(entries) {
      for (const entry of entries) {
        if (entry.path === suffix || entry.path.endsWith(`/${suffix}`)) candidates.push(entry.path);
      }
      return candidates.length < MAX_CANDIDATES;
    },
  });
  const paths = candidates.map((found) => `${root.replace(/\/+$/, "")}/${found}`).sort();
  if (paths.length > 1) return { kind: "ambiguous", paths: paths.slice(0, MAX_CANDIDATES) };
  // One so far proves nothing when a part was not looked at.
  if (end === "timeout") return { kind: "timeout" };
  return paths.length === 1 ? { kind: "unique", path: paths[0]! } : { kind: "none" };
}

/** Relative to the root, without dots; undefined when nothing could end in it. */
function normalSuffix(root: string, path: string): string | undefined {
  const within = path.startsWith(`${root}/`) ? path.slice(root.length) : path;
  const segments = within.split("/").filter((segment) => segment !== "" && segment !== ".");
  while (segments[0] === "..") segments.shift();
  return segments.length === 0 || segments.includes("..") ? undefined : segments.join("/");
}
