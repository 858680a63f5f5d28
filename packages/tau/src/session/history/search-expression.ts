// What somebody types, as a full-text query. Nothing of it becomes syntax: words are cut out,
// quoted, and each may be the beginning of a longer one.

/** More words than these are a pasted text, of which the first ones find it. */
const MAX_WORDS = 16;
const MAX_WORD_CHARACTERS = 64;

const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

/** Undefined where there is no word to look for. */
export function searchExpression(query: string): string | undefined {
  const words = query.match(WORD)?.slice(0, MAX_WORDS) ?? [];
  if (words.length === 0) return undefined;
  return words.map((word) => `"${[...word].slice(0, MAX_WORD_CHARACTERS).join("")}"*`).join(" ");
}

/** For looking through texts piece by piece, where the index knows no such words. */
export function likePattern(query: string): string {
  return `%${query.trim().replace(/[\\%_]/g, "\\$&")}%`;
}
