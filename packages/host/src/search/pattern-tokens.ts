// Cuts a regular expression into the few pieces that repairs and translations need:
// escapes, classes, group marks, quantifiers and stray braces. It accepts every text, valid
// or not, and the pieces always join to the pattern again.

export type TokenKind =
  "escape" | "class" | "open" | "close" | "quantifier" | "brace" | "anchor" | "bar" | "character";

export interface PatternToken {
  kind: TokenKind;
  text: string;
}

/** Escapes of more than one character: \p{Greek}, \x{1F600}, \x0a, \b{start}. */
export const LONG_ESCAPE =
  /\\(?:[pPxuU]\{[^{}]*\}|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|b\{(?:start|end|start-half|end-half)\})/y;
/** The lower bound is not optional in the engine's dialect: `a{,2}` is no repetition. */
const REPETITION = /\{\d+(?:,\d*)?\}/y;

/** A repetition needs something to repeat; after these a brace can only be meant literally. */
const NOT_REPEATABLE: ReadonlySet<TokenKind> = new Set(["open", "bar", "anchor"]);

export function patternTokens(pattern: string): PatternToken[] {
  const tokens: PatternToken[] = [];
  for (let at = 0; at < pattern.length;) {
    const token = tokenAt(pattern, at, tokens.at(-1)?.kind);
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

function tokenAt(pattern: string, at: number, before: TokenKind | undefined): PatternToken {
  const char = pattern[at]!;
  switch (char) {
    case "\\": {
      const text = matchAt(LONG_ESCAPE, pattern, at) ?? `\\${codePointAt(pattern, at + 1)}`;
      return { kind: "escape", text };
    }
    case "[": {
      const end = endOfClass(pattern, at);
      if (end === undefined) return { kind: "character", text: char };
      return { kind: "class", text: pattern.slice(at, end) };
    }
    case "(":
      return { kind: "open", text: char };
    case ")":
      return { kind: "close", text: char };
    case "|":
      return { kind: "bar", text: char };
    case "^":
    case "$":
      return { kind: "anchor", text: char };
    case "{": {
      const repetition = matchAt(REPETITION, pattern, at);
      const repeats = before !== undefined && !NOT_REPEATABLE.has(before);
      if (repetition !== undefined && repeats) return { kind: "quantifier", text: repetition };
      return { kind: "brace", text: char };
    }
    case "}":
      return { kind: "brace", text: char };
    default:
      return { kind: "character", text: codePointAt(pattern, at) };
  }
}

function codePointAt(text: string, at: number): string {
  const point = text.codePointAt(at);
  return point === undefined ? "" : String.fromCodePoint(point);
}

function matchAt(sticky: RegExp, text: string, at: number): string | undefined {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0];
}

/** Where the class that opens at `at` ends; classes nest, and a leading `]` is a member. */
function endOfClass(pattern: string, at: number): number | undefined {
  let depth = 0;
  let index = at;
  while (index < pattern.length) {
    const char = pattern[index]!;
    if (char === "\\") index += 2;
    else if (char === "[") {
      depth += 1;
      index += 1;
      if (pattern[index] === "^") index += 1;
      if (pattern[index] === "]") index += 1;
    } else if (char === "]") {
      depth -= 1;
      index += 1;
      if (depth === 0) return index;
    } else index += 1;
  }
  return undefined;
}
