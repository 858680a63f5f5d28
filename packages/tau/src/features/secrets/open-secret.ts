// Whether text that goes on may be the beginning of a secret, so that as little as possible of a reply
// or an output has to wait: all but what begins like one is passed on at once.

import type { SecretEntry } from "../../config/secret-entry.ts";

/** Characters. A pattern may find anything; what it may find at most is a line or two. */
const PATTERN_REACH = 4096;
/** Characters. A line that is longer than this is cut anywhere: it must not be held for ever. */
const LONGEST_LINE = 4 * PATTERN_REACH;

/** Where the text ends in the beginning of one of the values; its length if it does not. */
export function openPrefix(text: string, values: readonly string[]): number {
  const longest = values[0]?.length ?? 0;
  for (let from = Math.max(0, text.length - longest + 1); from < text.length; from++) {
    const end = text.slice(from);
    if (values.some((value) => value.length > end.length && value.startsWith(end))) return from;
  }
  return text.length;
}

export class SecretPattern {
  /** What every match begins with, if the pattern says so in plain letters. */
  readonly #begin: string;

  constructor(
    readonly pattern: RegExp,
    readonly replacement: SecretEntry["replacement"],
  ) {
    const begin = literalBegin(pattern);
    this.#begin = pattern.ignoreCase ? begin.toLowerCase() : begin;
  }

  openFrom(text: string): number {
    const reach = Math.max(0, text.length - PATTERN_REACH);
    return this.#begin === "" ? lineBefore(text, reach) : this.#firstBegin(text, reach);
  }

  #firstBegin(text: string, from: number): number {
    const read = this.pattern.ignoreCase ? text.toLowerCase() : text;
    // Lower case may have another length; then no place in it can be trusted.
    if (read.length !== text.length) return lineBefore(text, from);
    const at = read.indexOf(this.#begin, from);
    return at === -1 ? Math.max(from, openPrefix(read, [this.#begin])) : at;
  }
}

/** Whole lines are kept together: a pattern may look at what stands before a secret. */
function lineBefore(text: string, at: number): number {
  const line = text.lastIndexOf("\n", at - 1) + 1;
  return at - line > LONGEST_LINE ? at : line;
}

const PLAIN_LETTERS = /^(?:[\w :;,=@%&~"'<>!#-]|\\[^\w])+/;
const QUANTIFIER = /^[*+?{]/;

/** Empty where it cannot be told: a choice, a class, an assertion. */
function literalBegin({ source, flags }: RegExp): string {
  // Where case is folded by Unicode's rules, letters are equal that lower case does not make equal.
  const isFolded = flags.includes("i") && flags.includes("u");
  if (source.includes("|") || flags.includes("v") || isFolded) return "";
  const written = PLAIN_LETTERS.exec(source)?.[0] ?? "";
  const letters = written.match(/\\.|./gs) ?? [];
  if (QUANTIFIER.test(source.slice(written.length))) letters.pop();
  return letters.map((letter) => letter.at(-1)!).join("");
}
