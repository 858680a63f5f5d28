// What can be asked about the syntax of a text. There are two ways to get an answer: in this
// process, which is for texts one trusts, and in a process of its own (`syntax-process.ts`),
// which survives whatever a text does to its parser.

import type { BlockRange } from "./block-range.ts";
import type { RewriteOperation, RewriteResult } from "./structural-rewrite.ts";
import type { StructuralQuery } from "./structural-pattern.ts";
import type { SearchResult } from "./structural-search.ts";
import type { NoSummary, Summary, SummaryOptions } from "./summary.ts";
import type { Outcome } from "./syntax-failure.ts";

export interface LanguageStatus {
  name: string;
  /** Why it has no parser here; absent where it has one. */
  missing?: string;
}

/** Each question with the form of its answer. `language` is a name, an alias or an extension. */
export interface SyntaxQuestions {
  languages: { ask: object; answer: LanguageStatus[] };
  /** One answer for each line asked about. */
  blocks: {
    ask: { text: string; language: string; lines: number[] };
    answer: Outcome<BlockRange>[];
  };
  summary: {
    ask: { text: string; language: string; options?: SummaryOptions };
    answer: Outcome<Summary | NoSummary>;
  };
  search: {
    ask: { text: string; language: string; query: StructuralQuery; maxMatches?: number };
    answer: Outcome<SearchResult>;
  };
  rewrite: {
    ask: { text: string; language: string; operations: RewriteOperation[] };
    answer: Outcome<RewriteResult>;
  };
}

export type Question = keyof SyntaxQuestions;

export interface Syntax {
  /** The outer outcome says whether there is an answer at all. */
  ask<Q extends Question>(
    question: Q,
    about: SyntaxQuestions[Q]["ask"],
    signal?: AbortSignal,
  ): Promise<Outcome<SyntaxQuestions[Q]["answer"]>>;
}

/** Both outcomes in one: what the caller of a single question wants. */
export function flatten<T>(outcome: Outcome<Outcome<T>>): Outcome<T> {
  return outcome.ok ? outcome.value : outcome;
}

/** The block that begins on a line, as the edit language asks for it. */
export async function resolveBlock(
  syntax: Syntax,
  text: string,
  language: string,
  line: number,
  signal?: AbortSignal,
): Promise<Outcome<BlockRange>> {
  const answer = await syntax.ask("blocks", { text, language, lines: [line] }, signal);
  return answer.ok ? answer.value[0]! : answer;
}
