// Structural rewrite over many files: the new text of each file that changes, beside the text
// it was made from. Writing is the caller's, after looking whether the files are still so.

import { FileRun, type FileFailure, type FileRunOptions, type StopReason } from "./file-run.ts";
import { OF_THE_LANGUAGE } from "./search-files.ts";
import type { RewriteEdit, RewriteOperation } from "./structural-rewrite.ts";
import type { SyntaxFailure } from "./syntax-failure.ts";
import { flatten, type Syntax } from "./syntax.ts";

export interface RewriteFilesOptions extends FileRunOptions {
  /** Over all files; a file is rewritten as a whole or not at all. */
  maxReplacements?: number;
}

export interface FileRewrite {
  path: string;
  language: string;
  before: string;
  after: string;
  edits: RewriteEdit[];
}

export interface RewriteEnd {
  files: number;
  replacements: number;
  /** Operations that do not fit a language among the files; `operation` is 0-based. */
  problems: { language: string; operation?: number; failure: SyntaxFailure }[];
  /** Some operation fits no language among the files at all: the call makes no sense as it is. */
  fitsNowhere: number[];
  stopped?: StopReason;
}

const DEFAULT_MAX_REPLACEMENTS = 100_000;

/** Yields files that change or that could not be rewritten. */
export async function* rewriteFiles(
  syntax: Syntax,
  paths: Iterable<string> | AsyncIterable<string>,
  operations: RewriteOperation[],
  options: RewriteFilesOptions = {},
): AsyncGenerator<FileRewrite | FileFailure, RewriteEnd> {
  const run = new FileRun(options);
  const most = options.maxReplacements ?? DEFAULT_MAX_REPLACEMENTS;
  const problems = new Map<string, RewriteEnd["problems"][number]>();
  const languages = new Set<string>();
  let replacements = 0;
  for await (const file of run.open(paths)) {
    if ("failure" in file) {
      yield file;
      continue;
    }
    const { path, language, text: before } = file;
    if (problems.has(language)) continue;
    const ask = { text: before, language, operations };
    const done = flatten(await syntax.ask("rewrite", ask, run.signal));
    if (run.over) break;
    if (!done.ok) {
      const { failure } = done;
      if (OF_THE_LANGUAGE.has(failure.code)) problems.set(language, { language, failure });
      else yield { path, failure };
      continue;
    }
    languages.add(language);
    for (const problem of done.value.problems) {
      problems.set(`${language} ${problem.operation}`, { language, ...problem });
    }
    const { after, edits } = done.value;
    if (edits.length === 0) continue;
    if (replacements + edits.length > most) {
      run.stopped = "matches";
      break;
    }
    replacements += edits.length;
    yield { path, language, before, after, edits };
  }
  return {
    files: run.files,
    replacements,
    problems: [...problems.values()],
    fitsNowhere: operations.flatMap((_, operation) =>
      languages.size > 0 && [...languages].every((name) => problems.has(`${name} ${operation}`))
        ? [operation]
        : [],
    ),
    ...(run.stopped && { stopped: run.stopped }),
  };
}
