// What the parsers call a piece of code, and which colour of a theme it gets. They say it in
// words of several generations (`def`, `variableName.special`); all of them are here once.

import type { ThemeToken } from "@tau/tui/theme/tokens";

const NAMES_BY_TOKEN: Partial<Record<ThemeToken, string>> = {
  syntaxComment: "comment lineComment blockComment docComment quote",
  syntaxKeyword:
    "keyword controlKeyword definitionKeyword moduleKeyword operatorKeyword modifier self " +
    "tag tagName meta processingInstruction macroName annotation heading header pseudo qualifier",
  syntaxFunction: "builtin attribute attributeName function",
  syntaxVariable:
    "variable variableName property propertyName def local special labelName namespace",
  syntaxString: "string character regexp escape url link docString attributeValue monospace",
  syntaxNumber: "number integer float atom bool null unit color literal constant",
  syntaxType: "type typeName className standard",
  syntaxOperator: "operator",
  syntaxPunctuation: "punctuation bracket brace paren squareBracket angleBracket separator",
  toolDiffAdded: "inserted",
  toolDiffRemoved: "deleted",
};

const TOKEN_BY_NAME: ReadonlyMap<string, ThemeToken> = new Map(
  Object.entries(NAMES_BY_TOKEN).flatMap(([token, names]) =>
    names.split(" ").map((name) => [name, token as ThemeToken] as const),
  ),
);

/** Undefined for what looks like other text. `name` may have several parts; the first counts. */
export function tokenOf(name: string | null | undefined): ThemeToken | undefined {
  if (!name) return undefined;
  for (const part of name.split(" ")) {
    const base = part.split(".")[0]!;
    // Names of shells and interpreters that come with them are called so.
    if (part === "variableName.standard" || part === "variableName.function") {
      return "syntaxFunction";
    }
    const token = TOKEN_BY_NAME.get(base);
    if (token) return token;
  }
  return undefined;
}
