// Which of a few hundred or thousand short texts somebody means who types. Words may stand in
// any order and each must be found; a whole word, its beginning, a part and letters in between
// count for less in turn. The ranking of paths (host/fuzzy) prepares its texts first and knows
// about directories; here lists change while somebody types, and every key is answered at once.

/** What a word that was found counts for. */
const WHOLE = 100;
const AT_START = 80;
const AT_WORD = 60;
const INSIDE = 40;
const SCATTERED = 10;
/** The first texts of an item are its names; those that follow only describe it. */
const NAME_BONUS = 15;
/** With more letters left out in between it is a coincidence. */
const MAX_SKIPPED_LETTERS = 4;
const LEAST_SCATTERED_LETTERS = 2;

interface Ranked<T> {
  item: T;
  score: number;
}

/**
 * Best first, and as they came where they are equal; what does not match is left out. Texts are
 * in lower case: they are looked at with every key, and made lower once.
 */
export function rankTexts<T>(
  query: string,
  items: readonly T[],
  textsOf: (item: T) => readonly string[],
): T[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...items];
  const ranked: Ranked<T>[] = [];
  for (const item of items) {
    const score = scoreOf(words, textsOf(item));
    if (score > 0) ranked.push({ item, score });
  }
  return ranked.toSorted((a, b) => b.score - a.score).map(({ item }) => item);
}

function scoreOf(words: readonly string[], texts: readonly string[]): number {
  let total = 0;
  for (const word of words) {
    let best = 0;
    for (const [index, text] of texts.entries()) {
      const found = wordScore(word, text);
      if (found > 0) best = Math.max(best, found + (index === 0 ? NAME_BONUS : 0));
    }
    if (best === 0) return 0;
    total += best;
  }
  return total;
}

function wordScore(word: string, text: string): number {
  if (text === word) return WHOLE;
  const at = text.indexOf(word);
  if (at === 0) return AT_START;
  if (at > 0) return isWordStart(text, at) ? AT_WORD : inner(word, text, at);
  return isScattered(word, text) ? SCATTERED : 0;
}

/** The first place may be inside of a word and a later one at its beginning. */
function inner(word: string, text: string, first: number): number {
  for (let at = text.indexOf(word, first + 1); at >= 0; at = text.indexOf(word, at + 1)) {
    if (isWordStart(text, at)) return AT_WORD;
  }
  return INSIDE;
}

const LETTER = /[\p{L}\p{N}]/u;

function isWordStart(text: string, at: number): boolean {
  return at === 0 || !LETTER.test(text[at - 1]!);
}

/** All letters in their order, near one another, the first at the beginning of a word. */
function isScattered(word: string, text: string): boolean {
  if (word.length < LEAST_SCATTERED_LETTERS) return false;
  for (let from = text.indexOf(word[0]!); from >= 0; from = text.indexOf(word[0]!, from + 1)) {
    if (!isWordStart(text, from)) continue;
    let at = from;
    let isThere = true;
    for (const letter of word.slice(1)) {
      at = text.indexOf(letter, at + 1);
      if (at < 0) return false;
      isThere &&= at - from < word.length + MAX_SKIPPED_LETTERS;
    }
    if (isThere) return true;
  }
  return false;
}
