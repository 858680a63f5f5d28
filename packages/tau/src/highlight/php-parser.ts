// PHP, made of the parser for languages like C: the collection has none of its own for it.

import type { LanguageParser } from "./highlight-languages.ts";

const KEYWORDS =
  "abstract and as break callable case catch class clone const continue declare default do echo " +
  "else elseif enum extends final finally fn for foreach from function global goto if implements " +
  "include include_once instanceof insteadof interface isset list match namespace new or print " +
  "private protected public readonly require require_once return static switch throw trait try " +
  "unset use var while xor yield";

const wordSet = (words: string): Record<string, true> =>
  Object.fromEntries(words.split(" ").map((word) => [word, true]));

export async function loadPhp(): Promise<LanguageParser> {
  const { clike } = await import("@codemirror/legacy-modes/mode/clike");
  const parser: LanguageParser = clike({
    name: "php",
    keywords: wordSet(KEYWORDS),
    types: wordSet("array bool float int iterable mixed never object string void"),
    atoms: wordSet("true false null TRUE FALSE NULL self parent this"),
    multiLineStrings: true,
    hooks: {
      $(stream: { eatWhile(wanted: RegExp): boolean }) {
        stream.eatWhile(/[\w$]/);
        return "variableName.special";
      },
      "#"(stream: { skipToEnd(): void }) {
        stream.skipToEnd();
        return "comment";
      },
      "<"(stream: { match(wanted: RegExp): unknown }) {
        return stream.match(/^\?(?:php|=)/) ? "meta" : false;
      },
    },
  });
  return parser;
}
