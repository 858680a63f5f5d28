// The known word that a misspelt one was probably meant to be.

import { editDistance } from "./edit-distance.ts";

/** The nearest of `known`, where it is near enough to be a slip and no guess. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const wanted = plain(word);
  // A third of a word may be wrong: one slip in "path", two in "timeout".
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  let best: string | undefined;
  for (const candidate of known) {
    const distance = editDistance(wanted, plain(candidate));
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** `filePath`, `file_path` and `file-path` are one word to a model. */
function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[_\-\s]/g, "");
}
