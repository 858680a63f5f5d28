// Where words begin and end, for motion and rubbing out.

import { nextBoundary, previousBoundary } from "./grapheme-boundary.ts";

type CharacterClass = "word" | "blank" | "sign";

const WORD = /^[\p{L}\p{N}\p{M}_\u{10f000}-\u{10fffd}]/u;
const BLANK = /^\s/;

function classAt(line: string, offset: number): CharacterClass {
  const character = String.fromCodePoint(line.codePointAt(offset) ?? 0x20);
  if (BLANK.test(character)) return "blank";
  return WORD.test(character) ? "word" : "sign";
}

export type WordStyle = "word" | "blank-delimited";

const belongs = (kind: CharacterClass, style: WordStyle): boolean =>
  style === "word" ? kind === "word" : kind !== "blank";

/** The beginning of the word before `offset`; over signs and blanks to get there. */
export function wordStartBefore(line: string, offset: number, style: WordStyle): number {
  let at = offset;
  const walk = (inside: boolean): void => {
    while (at > 0) {
      const previous = previousBoundary(line, at);
      if (belongs(classAt(line, previous), style) !== inside) return;
      at = previous;
    }
  };
  walk(false);
  walk(true);
  return at;
}

/** The end of the word after `offset`. */
export function wordEndAfter(line: string, offset: number, style: WordStyle): number {
  let at = offset;
  const walk = (inside: boolean): void => {
    while (at < line.length && belongs(classAt(line, at), style) === inside) {
      at = nextBoundary(line, at);
    }
  };
  walk(false);
  walk(true);
  return at;
}
