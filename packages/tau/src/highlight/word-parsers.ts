// Languages that the collection has no parser for, described by their words and signs: enough to
// tell comments, strings, numbers and keywords apart, which is what colours are for.

import type { LanguageParser } from "./highlight-languages.ts";
import type { LineStream } from "./line-stream.ts";

export interface WordLanguage {
  keywords: string;
  types?: string;
  atoms?: string;
  /** What begins a comment to the end of the line. */
  lineComment?: RegExp;
  blockComment?: readonly [open: string, close: string];
  /** Signs around text that may go over several lines. */
  longString?: string;
  /** Signs around text on one line. */
  quotes?: string;
  /** Anything else, tried first. */
  others?: readonly (readonly [wanted: RegExp, token: string, place?: "line-start"])[];
}

interface WordState {
  /** What ends the text that is open, and what it is. */
  open?: { close: string; token: "comment" | "string" };
}

const WORD = /^[\p{L}_][\p{L}\p{N}_]*[?!]?/u;
const NUMBER = /^(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)/;
const OPERATOR = /^[-+*/%=<>!&|^~?]+/;

export function wordParser(language: WordLanguage): LanguageParser {
  const words = new Map<string, string>();
  const add = (list: string | undefined, token: string): void => {
    for (const word of list?.split(" ") ?? []) words.set(word, token);
  };
  add(language.keywords, "keyword");
  add(language.types, "type");
  add(language.atoms, "atom");
  const { lineComment, blockComment, longString, quotes = "\"'", others = [] } = language;

  const openAt = (stream: LineStream): WordState["open"] => {
    if (blockComment && stream.match(blockComment[0])) {
      return { close: blockComment[1], token: "comment" };
    }
    if (longString !== undefined && stream.match(longString)) {
      return { close: longString, token: "string" };
    }
    return undefined;
  };

  const token = (stream: LineStream, state: WordState): string | null => {
    if (state.open) return readOpen(stream, state);
    if (stream.eatSpace()) return null;
    for (const [wanted, name, place] of others) {
      if ((place === undefined || stream.sol()) && stream.match(wanted)) return name;
    }
    if (lineComment && stream.match(lineComment)) {
      stream.skipToEnd();
      return "comment";
    }
    state.open = openAt(stream);
    if (state.open) return readOpen(stream, state);
    const quote = stream.peek()!;
    if (quotes.includes(quote)) return readQuoted(stream, quote);
    if (stream.match(NUMBER)) return "number";
    if (stream.match(WORD)) return words.get(stream.current()) ?? "variable";
    if (stream.match(OPERATOR)) return "operator";
    stream.next();
    return "punctuation";
  };
  return {
    startState: () => ({}),
    token: (stream, state) => token(stream as unknown as LineStream, state as WordState),
  };
}

function readOpen(stream: LineStream, state: WordState): string {
  const { close, token } = state.open!;
  if (stream.skipTo(close)) {
    stream.match(close);
    delete state.open;
  } else stream.skipToEnd();
  return token;
}

/** To the closing sign or the end of the line, whichever comes first. */
function readQuoted(stream: LineStream, quote: string): string {
  stream.next();
  for (let sign = stream.next(); sign !== undefined && sign !== quote; sign = stream.next()) {
    if (sign === "\\") stream.next();
  }
  return "string";
}

export const ELIXIR: WordLanguage = {
  keywords:
    "after alias and begin case catch cond def defp defmodule defmacro defstruct defimpl " +
    "defprotocol defguard do else end fn for if import in not or quote raise receive require " +
    "rescue try unless unquote use when with",
  atoms: "true false nil",
  lineComment: /^#/,
  longString: '"""',
  others: [
    [/^:[\p{L}_][\p{L}\p{N}_@]*[?!]?/u, "atom"],
    [/^@[\p{L}_]+/u, "meta"],
    [/^\p{Lu}[\p{L}\p{N}_.]*/u, "type"],
    [/^[\p{L}_][\p{L}\p{N}_]*[?!]?:(?=\s)/u, "atom"],
  ],
};

export const MAKEFILE: WordLanguage = {
  keywords:
    "define endef ifdef ifndef ifeq ifneq else endif include override export unexport private vpath",
  lineComment: /^#/,
  others: [
    [/^\$[({][\w@<^?*.%+-]+/, "variableName.function"],
    [/^\$[@<^?*%+]/, "atom"],
    [/^\.[A-Z]+/, "meta"],
    [/^[\w./%-]+(?=\s*:(?!=))/, "type"],
  ],
};

export const ZIG: WordLanguage = {
  keywords:
    "addrspace align allowzero and anyframe asm async await break callconv catch comptime const " +
    "continue defer else enum errdefer error export extern fn for if inline linksection noalias " +
    "noinline nosuspend opaque or orelse packed pub resume return struct suspend switch test " +
    "threadlocal try union unreachable usingnamespace var volatile while",
  types:
    "bool void noreturn type anytype anyerror usize isize u8 i8 u16 i16 u32 i32 u64 i64 f32 f64",
  atoms: "true false null undefined",
  lineComment: /^\/\//,
  others: [
    [/^@[a-zA-Z]+/, "builtin"],
    [/^\\\\.*/, "string"],
  ],
};

export const NIX: WordLanguage = {
  keywords: "assert else if in inherit let or rec then with",
  atoms: "true false null",
  lineComment: /^#/,
  blockComment: ["/*", "*/"],
  longString: "''",
  quotes: '"',
  others: [[/^\.{0,2}\/[\w./+-]+/, "string"]],
};

export const HCL: WordLanguage = {
  keywords:
    "resource variable output module provider terraform data locals for in if dynamic moved",
  types: "string number bool list map set object tuple any",
  atoms: "true false null",
  lineComment: /^(?:#|\/\/)/,
  blockComment: ["/*", "*/"],
  quotes: '"',
};

export const GRAPHQL: WordLanguage = {
  keywords:
    "directive enum extend fragment implements input interface mutation on query scalar schema " +
    "subscription type union",
  types: "Int Float String Boolean ID",
  atoms: "true false null",
  lineComment: /^#/,
  longString: '"""',
  quotes: '"',
  others: [
    [/^@\w+/, "meta"],
    [/^\$\w+/, "variableName.special"],
  ],
};

/** As text that is looked at, not laid out: headings, marks, code and links. */
export const MARKDOWN: WordLanguage = {
  keywords: "",
  quotes: "",
  longString: "```",
  blockComment: ["<!--", "-->"],
  others: [
    [/^#{1,6}(?=\s).*/, "header", "line-start"],
    [/^(?:[-*+]|\d{1,9}[.)])(?=\s)/, "operator"],
    [/^>/, "operator"],
    [/^`[^`]+`/, "string"],
    [/^\*\*[^*]+\*\*/, "keyword"],
    [/^!?\[[^\]]*\]\([^)\s]*\)/, "link"],
    [/^[^\s`*[<#>\d-]+/u, "text"],
  ],
};
