// Finds the line of a key in YAML text. Only needed to word an error, so the parser that
// keeps positions is loaded only then; the fast built-in one reads the values.

import type { LineCounter } from "yaml";

type Parsed = { text: string; counter: LineCounter; contents: unknown };

/** A file with many mistakes is asked about as often. */
let last: Parsed | undefined;

async function parse(text: string): Promise<Parsed> {
  if (last?.text === text) return last;
  const { LineCounter, parseDocument } = await import("yaml");
  const counter = new LineCounter();
  const { contents } = parseDocument(text, { lineCounter: counter });
  last = { text, counter, contents };
  return last;
}

/** From 1; the nearest enclosing key where the path itself is not in the text. */
export async function lineOf(text: string, path: readonly (string | number)[]): Promise<number> {
  const { isMap, isSeq, isScalar } = await import("yaml");
  const { counter, contents } = await parse(text);
  let node: unknown = contents;
  let offset = 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => isScalar(item.key) && String(item.key.value) === String(part),
      );
      if (!pair) break;
      offset = (isScalar(pair.key) ? pair.key.range?.[0] : undefined) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      const item = node.items[Number(part)];
      const range = (item as { range?: readonly number[] } | undefined)?.range;
      if (!range) break;
      offset = range[0] ?? offset;
      node = item;
    } else break;
  }
  return counter.linePos(offset).line;
}
