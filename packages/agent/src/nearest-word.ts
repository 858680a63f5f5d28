// The known word that a misspelt one was probably meant to be.

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

/** Insertions, deletions, replacements and swapped neighbours between two words. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, replaced);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) least = Math.min(least, beforeLast[j - 2]! + 1);
      row.push(least);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
