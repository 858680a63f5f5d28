// "Did you mean": the nearest known word, if it is near enough to be a slip.

import { editDistance } from "@tau/agent/edit-distance";

export function suggest(word: string, known: readonly string[]): string | undefined {
  // A third of a word may be wrong: one slip in "run", two in "models", three in "completions".
  const allowed = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let bestDistance = allowed + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word, candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}
