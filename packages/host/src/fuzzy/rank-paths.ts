// Orders candidates for what was typed: by how well letters match, better in the name
// than in the directories before it, better at the beginning of a part than within, and
// better in what is much in use. Equal ones by length and name, so that the order is firm.

import type { KeyResult } from "fuzzysort";
import { BoundedBest } from "../walk/bounded-best.ts";
import { frecencies, type PathUse } from "./frecency.ts";
import { loadFuzzysort, type PathCandidate, type PathCandidates } from "./path-candidates.ts";

export interface RankedPath {
  path: string;
  /** What `positions` index: the path in composed characters. */
  label: string;
  /** Of the matched UTF-16 units, ascending; never half a character. */
  positions: readonly number[];
  score: number;
}

export interface RankOptions {
  query: string;
  limit: number;
  uses?: readonly PathUse[];
  /** Milliseconds since the epoch. */
  now: number;
}

/** People remember names, not where they are. */
const NAME_BONUS = 0.1;
/** What begins with the query, as a whole or at a slash. */
const START_BONUS = 0.1;
/** Enough to lift a used file over a somewhat better match, not over a much better one. */
const USE_WEIGHT = 0.3;
/** Looked at more closely than by the matcher's own score. */
const CONSIDERED_PER_RESULT = 4;
const MIN_CONSIDERED = 64;
/** Used paths are all considered, however they match. */
const MAX_USES = 500;

export async function rankPaths(
  candidates: PathCandidates,
  options: RankOptions,
): Promise<RankedPath[]> {
  const query = options.query.normalize("NFC").trim();
  const uses = newestUses(options.uses ?? []);
  const used = frecencies(uses, options.now);
  const useOf = ({ path }: PathCandidate): number => USE_WEIGHT * (used.get(path) ?? 0);
  if (query === "") return unfiltered(candidates, used, options.limit);

  const fuzzysort = await loadFuzzysort();
  const considered = Math.max(MIN_CONSIDERED, options.limit * CONSIDERED_PER_RESULT);
  const best = new Map<string, RankedPath>();
  const consider = (candidate: PathCandidate, score: number, positions: readonly number[]) => {
    const total = score + startBonus(candidate, query) + useOf(candidate);
    if ((best.get(candidate.path)?.score ?? -1) >= total) return;
    const { path, label } = candidate;
    best.set(path, { path, label, score: total, positions: wholeCharacters(label, positions) });
  };
  const inName = ({ obj, score, indexes }: KeyResult<PathCandidate>): void =>
    consider(
      obj,
      score + NAME_BONUS,
      indexes.map((index) => index + obj.nameAt),
    );
  const bounds = { limit: considered, threshold: 0 };
  for (const result of fuzzysort.go(query, candidates.names, bounds)) inName(result);
  for (const { obj, score, indexes } of fuzzysort.go(query, candidates.labels, bounds)) {
    consider(obj, score, indexes);
  }
  for (const { path } of uses) {
    const candidate = candidates.byPath.get(path);
    const result = candidate && fuzzysort.single(query, candidate.label);
    if (candidate && result) consider(candidate, result.score, result.indexes);
  }
  return [...best.values()].sort(byScore).slice(0, options.limit);
}

/** Nothing typed yet: what is in use, then what is near the root. */
function unfiltered(
  candidates: PathCandidates,
  used: ReadonlyMap<string, number>,
  limit: number,
): RankedPath[] {
  const best = new BoundedBest<RankedPath & { depth: number }>(
    limit,
    (a, b) => b.score - a.score || a.depth - b.depth || byScore(a, b),
  );
  for (const { path, label } of candidates.all) {
    best.offer({ path, label, positions: [], score: used.get(path) ?? 0, depth: depthOf(path) });
  }
  return best.sorted().map(({ path, label, score }) => ({ path, label, positions: [], score }));
}

function depthOf(path: string): number {
  let depth = 0;
  for (let at = path.indexOf("/"); at !== -1 && at < path.length - 1; depth += 1) {
    at = path.indexOf("/", at + 1);
  }
  return depth;
}

function startBonus({ label, name }: PathCandidate, query: string): number {
  const wanted = query.toLowerCase();
  const begins = label.toLowerCase().startsWith(wanted) || name.toLowerCase().startsWith(wanted);
  return begins || label.toLowerCase().includes(`/${wanted}`) ? START_BONUS : 0;
}

function byScore(a: RankedPath, b: RankedPath): number {
  const order = b.score - a.score || a.path.length - b.path.length;
  return order || (a.path < b.path ? -1 : Number(a.path > b.path));
}

function newestUses(uses: readonly PathUse[]): readonly PathUse[] {
  if (uses.length <= MAX_USES) return uses;
  return uses.toSorted((a, b) => b.lastUsed - a.lastUsed).slice(0, MAX_USES);
}

/** The matcher works on UTF-16 units; a matched half brings the other half along. */
function wholeCharacters(label: string, positions: readonly number[]): number[] {
  const whole = new Set<number>();
  for (const at of positions) {
    const isSecondHalf = isBetween(label.charCodeAt(at), 0xdc00, 0xdfff);
    const start = isSecondHalf ? at - 1 : at;
    whole.add(start);
    if ((label.codePointAt(start) ?? 0) > 0xffff) whole.add(start + 1);
  }
  return [...whole].sort((a, b) => a - b);
}

function isBetween(code: number, low: number, high: number): boolean {
  return code >= low && code <= high;
}
