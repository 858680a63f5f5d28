// Finds the line of a key in YAML text. Only needed to word an error, so the parser that
// keeps positions is loaded only then; the fast built-in one reads the values.

import type { LineCounter, YAMLParseError } from "yaml";

type Parsed = {
  text: string;
  counter: LineCounter;
  contents: unknown;
  errors: readonly YAMLParseError[];
};

/** A file with many mistakes is asked about as often. */
let last: Parsed | undefined;

async function parse(text: string): Promise<Parsed> {
  if (last?.text === text) return last;
  const { LineCounter, parseDocument } = await import("yaml");
  const counter = new LineCounter();
  const { contents, errors } = parseDocument(text, { lineCounter: counter });
  last = { text, counter, contents, errors };
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

export interface YamlError {
  /** In one sentence, without the place. */
  why: string;
  /** From 1. */
  line: number;
  isDoubledKey: boolean;
}

/** Undefined if it is YAML. */
export async function yamlError(text: string): Promise<YamlError | undefined> {
  const {
    counter,
    errors: [error],
  } = await parse(text);
  if (!error) return keyThatIsNoWord(text);
  const [first = ""] = error.message.split("\n");
  return {
    why: first.replace(/ at line \d+, column \d+:?$/, ""),
    // What is never closed is missed only at the end.
    line: Math.min(counter.linePos(error.pos[0]).line, text.trimEnd().split("\n").length),
    isDoubledKey: error.code === "DUPLICATE_KEY",
  };
}

/** `? - a`: YAML allows maps and lists as keys; where words are expected, a sign is one too many. */
async function keyThatIsNoWord(text: string): Promise<YamlError | undefined> {
  const { isScalar, visit } = await import("yaml");
  const { counter, contents } = await parse(text);
  let line: number | undefined;
  visit(contents as Parameters<typeof visit>[0], {
    Pair: (_key, { key }) => {
      const range = (key as { range?: readonly number[] | null } | null)?.range;
      if (isScalar(key) || !range) return undefined;
      line = counter.linePos(range[0] ?? 0).line;
      return visit.BREAK;
    },
  });
  if (line === undefined) return undefined;
  return { why: "a key is not a name", line, isDoubledKey: false };
}
