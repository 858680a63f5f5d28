// Replaces code by its structure in one parsed source. All operations look at the source as
// it was; what they ask for is applied together or, where two want the same characters, not
// at all. Nothing is written anywhere.

import type { Source } from "./parse-source.ts";
import { fillTemplate, readTemplate } from "./rewrite-template.ts";
import { asConfig, compileQuery } from "./structural-pattern.ts";
import type { Place } from "./structural-search.ts";
import { fail, succeed, type Outcome, type SyntaxFailure } from "./syntax-failure.ts";
import { findFlaw } from "./syntax-flaw.ts";

export interface RewriteOperation {
  pat: string;
  /** Empty removes the match. */
  out: string;
}

export interface RewriteEdit extends Place {
  /** Offsets into the text before, in UTF-16 units. */
  from: number;
  to: number;
  before: string;
  after: string;
  /** Which operation it came from, 0-based. */
  operation: number;
}

export interface RewriteResult {
  after: string;
  /** In the order of the text and apart from each other. */
  edits: RewriteEdit[];
  /** Operations that do not fit this language; the others were done. */
  problems: { operation: number; failure: SyntaxFailure }[];
}

export async function rewriteSource(
  source: Source,
  operations: readonly RewriteOperation[],
): Promise<Outcome<RewriteResult>> {
  const flaw = findFlaw(source.root);
  if (flaw) {
    return fail(
      "syntax_error",
      `The text is not well-formed ${source.language.name} (${flaw.what} on line ${flaw.line}), so it was left alone; correct it first or edit it by lines.`,
      flaw.line,
    );
  }
  const problems: RewriteResult["problems"] = [];
  const edits: RewriteEdit[] = [];
  for (const [operation, { pat, out }] of operations.entries()) {
    const compiled = await compileQuery({ pattern: pat }, source.language);
    const template = compiled.ok ? readTemplate(source, out, compiled.value) : compiled;
    if (!compiled.ok || !template.ok) {
      problems.push({ operation, failure: (template as { failure: SyntaxFailure }).failure });
      continue;
    }
    for (const match of source.root.findAll(asConfig(compiled.value.matcher))) {
      const { start, end } = match.range();
      const after = fillTemplate(source, match, template.value, compiled.value);
      const edit = editOf(source, { from: start.index, to: end.index }, after, operation);
      if (edit.before !== edit.after) edits.push(edit);
    }
  }
  edits.sort((a, b) => a.from - b.from || a.to - b.to || a.operation - b.operation);
  const clash = edits.findIndex((edit, at) => at > 0 && edit.from < edits[at - 1]!.to);
  if (clash > 0) return overlapping(edits[clash - 1]!, edits[clash]!);
  return succeed({ after: applyEdits(source.text, edits), edits, problems });
}

export function applyEdits(before: string, edits: readonly RewriteEdit[]): string {
  let after = "";
  let at = 0;
  for (const edit of edits) {
    after += before.slice(at, edit.from) + edit.after;
    at = edit.to;
  }
  return after + before.slice(at);
}

function editOf(
  { lines, text }: Source,
  match: { from: number; to: number },
  after: string,
  operation: number,
): RewriteEdit {
  const { from, to } = after === "" ? wholeLines(text, match) : match;
  const line = lines.lineAt(from);
  const column = from - lines.startOf(line) + 1;
  return { from, to, line, column, before: text.slice(from, to), after, operation };
}

/** What is removed takes its lines along where nothing else is on them. */
function wholeLines(text: string, match: { from: number; to: number }) {
  const start = text.lastIndexOf("\n", match.from - 1) + 1;
  const newline = text.indexOf("\n", match.to);
  const end = newline < 0 ? text.length : newline + 1;
  const alone =
    text.slice(start, match.from).trim() === "" && text.slice(match.to, end).trim() === "";
  return alone ? { from: start, to: end } : match;
}

function overlapping(first: RewriteEdit, second: RewriteEdit) {
  const same = first.operation === second.operation;
  const whose = same
    ? `matches of operation ${first.operation + 1} are nested`
    : `operations ${first.operation + 1} and ${second.operation + 1} match the same text`;
  return fail(
    "overlapping_edits",
    `On lines ${first.line} and ${second.line}, ${whose}, so nothing was replaced; make the patterns narrower or run them one after the other.`,
    second.line,
  );
}
