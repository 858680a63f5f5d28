// How much a path is in use, from how often and how lately it was: a number between 0 and
// 1. Pure; where uses are kept is somebody else's business.

export interface PathUse {
  path: string;
  count: number;
  /** Milliseconds since the epoch. */
  lastUsed: number;
}

/** Work of the week before last matters half as much as that of today. */
export const HALF_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

/** Grows with every use and never reaches 1; halves its weight with every half-life. */
export function frecencyOf({ count, lastUsed }: PathUse, now: number): number {
  // A clock that was set back does not make a use newer than new.
  const age = Math.max(0, now - lastUsed);
  const weight = Math.log2(1 + Math.max(0, count)) * 0.5 ** (age / HALF_LIFE_MS);
  return weight / (1 + weight);
}

export function frecencies(uses: readonly PathUse[], now: number): Map<string, number> {
  return new Map(uses.map((use) => [use.path, frecencyOf(use, now)]));
}
