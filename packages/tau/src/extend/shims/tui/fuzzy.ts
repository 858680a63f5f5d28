// Which texts have the letters of a query in their order, and how well.

export interface FuzzyMatch {
  matches: boolean;
  /** The lower, the better. */
  score: number;
}

/** A gap between two letters costs as much as it is long. */
export function fuzzyMatch(query: string, text: string): FuzzyMatch {
  const wanted = query.toLowerCase();
  const given = text.toLowerCase();
  let at = -1;
  let score = 0;
  for (const letter of wanted) {
    const next = given.indexOf(letter, at + 1);
    if (next < 0) return { matches: false, score: 0 };
    score += next - at - 1;
    at = next;
  }
  return { matches: true, score };
}

export function fuzzyFilter<T>(
  items: readonly T[],
  query: string,
  textOf: (item: T) => string,
): T[] {
  const words = query.trim().split(/\s+/).filter(Boolean);
  const rated = items.flatMap((item) => {
    const found = words.map((word) => fuzzyMatch(word, textOf(item)));
    if (!found.every(({ matches }) => matches)) return [];
    return [{ item, score: found.reduce((sum, one) => sum + one.score, 0) }];
  });
  return rated.sort((a, b) => a.score - b.score).map(({ item }) => item);
}
