// Answers questions about syntax in this process. A parser can hang over hostile text or end
// the process it runs in, so outside of tests this is the inside of `serve-syntax.ts`.

import { blockAt } from "./block-range.ts";
import { loadEngine } from "./engine.ts";
import { LANGUAGES } from "./language-table.ts";
import { parseSource } from "./parse-source.ts";
import { rewriteSource } from "./structural-rewrite.ts";
import { searchSource } from "./structural-search.ts";
import { summarize } from "./summary.ts";
import { fail, succeed } from "./syntax-failure.ts";
import type { Question, Syntax, SyntaxQuestions } from "./syntax.ts";

type Answers = {
  [Q in Question]: (about: SyntaxQuestions[Q]["ask"]) => Promise<SyntaxQuestions[Q]["answer"]>;
};

const answers: Answers = {
  async languages() {
    const engine = await loadEngine();
    return LANGUAGES.map((row) => {
      const missing = engine.missing(row);
      return missing === undefined ? { name: row.name } : { name: row.name, missing };
    });
  },
  async blocks({ text, language, lines }) {
    const source = await parseSource(text, language);
    return lines.map((line) => (source.ok ? blockAt(source.value, line) : source));
  },
  async summary({ text, language, options }) {
    const source = await parseSource(text, language);
    return source.ok ? summarize(source.value, options) : source;
  },
  async search({ text, language, query, maxMatches }) {
    const source = await parseSource(text, language);
    return source.ok ? searchSource(source.value, query, maxMatches) : source;
  },
  async rewrite({ text, language, operations }) {
    const source = await parseSource(text, language);
    return source.ok ? rewriteSource(source.value, operations) : source;
  },
};

export const localSyntax: Syntax = {
  async ask(question, about, signal) {
    if (signal?.aborted) return fail("aborted", "The question about syntax was aborted.");
    return succeed(await answers[question](about));
  },
};
