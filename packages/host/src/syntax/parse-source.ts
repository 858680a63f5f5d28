// From a text to its tree, within limits. In the process it is called in, and without a way
// to stop it: a caller that wants a deadline goes through `syntax-process.ts`.

import { findLanguage } from "./detect-language.ts";
import { loadEngine, type SyntaxNode } from "./engine.ts";
import type { LanguageRow } from "./language-table.ts";
import { SourceLines } from "./source-lines.ts";
import { fail, succeed, type Outcome } from "./syntax-failure.ts";

/** UTF-16 units. Beyond this, sources are generated and their trees cost hundreds of MB. */
export const MAX_SOURCE_CHARS = 2 * 1024 * 1024;

export interface Source {
  language: LanguageRow;
  text: string;
  lines: SourceLines;
  root: SyntaxNode;
}

export async function parseSource(text: string, languageName: string): Promise<Outcome<Source>> {
  const language = findLanguage(languageName);
  if (!language) {
    return fail(
      "unknown_language",
      `There is no language "${languageName}" here; name the lines themselves instead.`,
    );
  }
  if (text.length > MAX_SOURCE_CHARS) {
    return fail(
      "too_large",
      `The text has ${text.length} characters and the parser takes ${MAX_SOURCE_CHARS}; name the lines themselves instead.`,
    );
  }
  const engine = await loadEngine();
  const missing = engine.missing(language);
  if (missing !== undefined) {
    return fail(
      "language_unavailable",
      `There is no parser for ${language.name} here (${missing}); name the lines themselves instead.`,
    );
  }
  const root = engine.parse(language, text);
  return succeed({ language, text, lines: new SourceLines(text), root });
}
