// Which words of a changed line changed. Bounded: a line of thousands of words is compared
// by its beginning and end alone.

export interface WordPart {
  text: string;
  changed: boolean;
}

// Words squared is the work; more than this is not worth a frame.
const MAX_COMPARED_WORDS = 120;

const wordsOf = (text: string): string[] =>
  text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

export function changedWords(
  before: string,
  after: string,
): { before: WordPart[]; after: WordPart[] } {
  const a = wordsOf(before);
  const b = wordsOf(after);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail))
    tail++;
  const middleA = a.slice(head, a.length - tail);
  const middleB = b.slice(head, b.length - tail);
  const kept = commonWords(middleA, middleB);
  const build = (words: string[], middle: string[], same: ReadonlySet<number>): WordPart[] =>
    joinParts([
      ...words.slice(0, head).map((text) => ({ text, changed: false })),
      ...middle.map((text, index) => ({ text, changed: !same.has(index) })),
      ...words.slice(words.length - tail).map((text) => ({ text, changed: false })),
    ]);
  return { before: build(a, middleA, kept.a), after: build(b, middleB, kept.b) };
}

/** Indexes of a longest common sequence of words. */
function commonWords(
  a: readonly string[],
  b: readonly string[],
): { a: Set<number>; b: Set<number> } {
  const kept = { a: new Set<number>(), b: new Set<number>() };
  if (a.length > MAX_COMPARED_WORDS || b.length > MAX_COMPARED_WORDS) return kept;
  const columns = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * columns);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * columns + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * columns + j + 1]! + 1
          : Math.max(lengths[(i + 1) * columns + j]!, lengths[i * columns + j + 1]!);
    }
  }
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      kept.a.add(i++);
      kept.b.add(j++);
    } else if (lengths[(i + 1) * columns + j]! >= lengths[i * columns + j + 1]!) i++;
    else j++;
  }
  return kept;
}

function joinParts(parts: readonly WordPart[]): WordPart[] {
  const joined: WordPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last?.changed === part.changed) last.text += part.text;
    else joined.push({ ...part });
  }
  return joined;
}
