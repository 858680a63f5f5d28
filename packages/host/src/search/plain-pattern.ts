// Translates a pattern of the engine's dialect to a JavaScript regular expression, for
// machines without ripgrep. It covers what people write; what it cannot say is refused
// rather than understood differently.

import {
  escapeLiteralBraces,
  escapeParentheses,
  hasUnbalancedGroups,
  spansLines,
} from "./pattern-repair.ts";
import { LONG_ESCAPE, patternTokens, type PatternToken } from "./pattern-tokens.ts";
import { InvalidPatternError } from "./search-error.ts";

export interface PlainPattern {
  /** Global, so that it finds all matches of a line. */
  regexp: RegExp;
  spansLines: boolean;
  hasLiteralGroups: boolean;
}

export function compilePlainPattern(pattern: string, ignoreCase: boolean): PlainPattern {
  const repaired = escapeLiteralBraces(pattern);
  const multiline = spansLines(repaired);
  try {
    const regexp = compile(repaired, ignoreCase);
    return { regexp, spansLines: multiline, hasLiteralGroups: false };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (hasUnbalancedGroups(repaired)) {
      const literal = escapeParentheses(repaired);
      try {
        const regexp = compile(literal, ignoreCase);
        return { regexp, spansLines: multiline, hasLiteralGroups: true };
      } catch (second) {
        if (!(second instanceof SyntaxError)) throw second;
      }
    }
    throw new InvalidPatternError(error.message.replace(/^Invalid regular expression: /, ""));
  }
}

/** Flags for the whole pattern stand at its beginning: `(?i)`. */
const LEADING_FLAGS = /^\(\?([a-zA-Z]+)\)/;

function compile(pattern: string, ignoreCase: boolean): RegExp {
  const leading = LEADING_FLAGS.exec(pattern)?.[1] ?? "";
  const foreign = /[^imsuR]/.exec(leading)?.[0];
  if (foreign !== undefined) {
    throw new InvalidPatternError(`the flag ${foreign} needs ripgrep, which was not found`);
  }
  const body = leading === "" ? pattern : pattern.slice(leading.length + 3);
  const flags = new Set(["g", "u", "m"]);
  if (ignoreCase || leading.includes("i")) flags.add("i");
  if (leading.includes("s")) flags.add("s");
  const tokens = patternTokens(body);
  return new RegExp(tokens.map(translate).join(""), [...flags].join(""));
}

const ESCAPES: Record<string, string> = {
  "\\A": "(?<![\\s\\S])",
  "\\z": "(?![\\s\\S])",
  "\\a": "\\x07",
  "\\<": "\\b(?=\\w)",
  "\\>": "\\b(?<=\\w)",
  "\\b{start}": "\\b(?=\\w)",
  "\\b{end}": "\\b(?<=\\w)",
};

/** Both inside and outside of classes. */
const CLASS_ESCAPES: Record<string, string> = {
  "\\d": "\\p{Nd}",
  "\\D": "\\P{Nd}",
  "\\w": "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}",
};

/** What may stand behind a backslash in a JavaScript pattern with Unicode. */
const JS_ESCAPE = /^\\(?:[\^$\\.*+?()[\]{}|/dDsSwWbBfnrtv0-9k]|[pP]\{)/;

function translate({ kind, text }: PatternToken, index: number, all: PatternToken[]): string {
  if (kind === "class") return translateClass(text);
  if (kind === "escape") {
    const wide = CLASS_ESCAPES[text];
    if (wide !== undefined) return `[${wide}]`;
    if (text === "\\W") return `[^${CLASS_ESCAPES["\\w"]}]`;
    return ESCAPES[text] ?? commonEscape(text);
  }
  // `(?P<name>` is JavaScript's `(?<name>`.
  const isNamed = text === "P" && all[index - 1]?.text === "?" && all[index - 2]?.kind === "open";
  return isNamed ? "" : text;
}

function commonEscape(text: string): string {
  const point = /^\\[xuU]\{?([\da-fA-F]+)\}?$/.exec(text)?.[1];
  if (point !== undefined) return `\\u{${point}}`;
  return JS_ESCAPE.test(text) ? text : text.slice(1);
}

const POSIX: Record<string, string> = {
  alpha: "a-zA-Z",
  digit: "0-9",
  alnum: "a-zA-Z0-9",
  upper: "A-Z",
  lower: "a-z",
  space: "\\s",
  blank: " \\t",
  punct: "!-\\/:-@\\[-`\\{-~",
  xdigit: "\\da-fA-F",
  word: "\\w",
  cntrl: "\\x00-\\x1f\\x7f",
};

const CLASS_PIECE = new RegExp(`${LONG_ESCAPE.source}|\\\\?.`, "gsu");

function translateClass(text: string): string {
  const [, opening, inner] = /^(\[\^?)(.*)\]$/s.exec(text)!;
  const known = inner!.replace(/\[:(\w+):\]/g, (whole, name: string) => POSIX[name] ?? whole);
  const pieces = known.match(CLASS_PIECE) ?? [];
  const translated = pieces.map((piece, index) => {
    if (piece === "-" || piece === "\\-") return index > 0 && piece === "-" ? "-" : "\\-";
    if (piece === "[" || (piece === "]" && index === 0)) return `\\${piece}`;
    if (piece.startsWith("\\")) return CLASS_ESCAPES[piece] ?? commonEscape(piece);
    return piece;
  });
  return `${opening}${translated.join("")}]`;
}
