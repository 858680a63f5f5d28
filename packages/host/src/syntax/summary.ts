// The structure of a source without its inside: declarations, signatures and imports stay,
// bodies, long literals and deep data are left out. The result names lines only, so that the
// reader can print it in its own way and offer the ranges that were left out.

import type { SyntaxNode } from "./engine.ts";
import type { Source } from "./parse-source.ts";
import * as rules from "./summary-rules.ts";
import { fail, succeed, type Outcome } from "./syntax-failure.ts";
import { isError } from "./syntax-flaw.ts";

const MAX_SUMMARY_BYTES = 2 * 1024 * 1024;
const MAX_SUMMARY_LINES = 20_000;
/** A short text is read whole. */
const MIN_SUMMARY_LINES = 80;
/** Prose is there to be read: only what is long is cut down to its headings. */
const MIN_PROSE_SUMMARY_LINES = 300;
/** Below this share the reader would ask for the rest anyway. */
const MIN_ELIDED_SHARE = 0.25;

/** Inclusive, 1-based. Together they are all lines of the text, once and in order. */
export interface SummarySpan {
  kind: "kept" | "elided";
  from: number;
  to: number;
}

export interface Summary {
  worthwhile: true;
  lines: number;
  elidedLines: number;
  elidedSpans: number;
  spans: SummarySpan[];
}

/** The text is better read whole. */
export interface NoSummary {
  worthwhile: false;
  why: "short" | "little_to_elide";
  lines: number;
}

export interface SummaryOptions {
  minLines?: number;
  minElidedShare?: number;
}

export function summarize(
  source: Source,
  options: SummaryOptions = {},
): Outcome<Summary | NoSummary> {
  const lines = source.lines.count;
  if (lines > MAX_SUMMARY_LINES || Buffer.byteLength(source.text) > MAX_SUMMARY_BYTES) {
    return fail(
      "too_large",
      `A text of ${lines} lines is not summarised (at most ${MAX_SUMMARY_LINES} lines and ${MAX_SUMMARY_BYTES} bytes); read it by ranges.`,
    );
  }
  const isProse = source.language.name === "markdown";
  const least = options.minLines ?? (isProse ? MIN_PROSE_SUMMARY_LINES : MIN_SUMMARY_LINES);
  if (lines < least) {
    return succeed({ worthwhile: false, why: "short", lines });
  }
  const elided = elisionsOf(source);
  const elidedLines = elided.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  if (elidedLines < lines * (options.minElidedShare ?? MIN_ELIDED_SHARE) || elidedLines === 0) {
    return succeed({ worthwhile: false, why: "little_to_elide", lines });
  }
  const spans = partition(elided, lines);
  return succeed({ worthwhile: true, lines, elidedLines, elidedSpans: elided.length, spans });
}

interface LineRange {
  from: number;
  to: number;
}

function partition(elided: readonly LineRange[], lines: number): SummarySpan[] {
  const spans: SummarySpan[] = [];
  let next = 1;
  for (const { from, to } of elided) {
    if (from > next) spans.push({ kind: "kept", from: next, to: from - 1 });
    spans.push({ kind: "elided", from, to });
    next = to + 1;
  }
  if (next <= lines) spans.push({ kind: "kept", from: next, to: lines });
  return spans;
}

interface Visit {
  node: SyntaxNode;
  /** Levels of nested data or of elements around it. */
  depth: number;
}

/** In order and apart from each other. */
function elisionsOf(source: Source): LineRange[] {
  const found: LineRange[] = [];
  const pending: Visit[] = [{ node: source.root, depth: 0 }];
  while (pending.length > 0) {
    const { node, depth } = pending.pop()!;
    const { start, end } = node.range();
    if (end.line - start.line < rules.MIN_BODY_LINES - 1 || isError(node)) continue;
    const range = elisionOf(source, node, depth);
    if (range) found.push(range);
    // Only a section goes on after what was left out of it.
    if (range && node.kind() !== "section") continue;
    const inner = depth + (isLevel(source, node) ? 1 : 0);
    for (const child of node.children()) pending.push({ node: child, depth: inner });
  }
  found.sort((a, b) => a.from - b.from);
  // Two bodies may share a line; the later one stays then.
  let last = 0;
  return found.filter(({ from, to }) => {
    if (from <= last) return false;
    last = to;
    return true;
  });
}

function isLevel({ language }: Source, node: SyntaxNode): boolean {
  const kind = String(node.kind());
  return language.name === "html"
    ? kind === "element"
    : (rules.DATA_LEVELS[language.name]?.has(kind) ?? false);
}

function elisionOf(source: Source, node: SyntaxNode, depth: number): LineRange | undefined {
  const kind = String(node.kind());
  const { name } = source.language;
  if (name === "markdown") return kind === "section" ? proseOf(source, node) : undefined;
  if (rules.DATA_LEVELS[name]) {
    const tooDeep = depth >= rules.DATA_DEPTH_KEPT && isLevel(source, node);
    return tooDeep ? atLeast(rules.MIN_DATA_LINES, insideOf(source, node)) : undefined;
  }
  if (rules.HEADED_BY_FIRST_LINE[name]?.has(kind)) {
    const { from, to } = outsideOf(source, node);
    return atLeast(rules.MIN_BODY_LINES, { from: from + 1, to });
  }
  if (rules.BODIES.has(kind)) {
    if (holdsMembers(source, node)) return undefined;
    return atLeast(rules.MIN_BODY_LINES, bodyOf(source, node));
  }
  if (name === "html" && kind === "element" && depth >= rules.ELEMENT_DEPTH_KEPT) {
    return atLeast(rules.MIN_BODY_LINES, insideOf(source, node));
  }
  if (rules.LITERALS.has(kind) && !showsMembers(node)) {
    const inside = atLeast(rules.MIN_LITERAL_LINES, insideOf(source, node));
    return inside && { from: inside.from + rules.LITERAL_LINES_KEPT, to: inside.to };
  }
  return undefined;
}

function atLeast(least: number, { from, to }: LineRange): LineRange | undefined {
  return to - from + 1 >= least ? { from, to } : undefined;
}

function holdsMembers(source: Source, body: SyntaxNode): boolean {
  const parent = body.parent();
  if (!parent) return false;
  if (rules.HOLDERS.has(String(parent.kind()))) return true;
  return rules.GROUPING_CALL.test(source.lines.textOf(body.range().start.line + 1));
}

/** Its members are worth more than its size says. */
function showsMembers(literal: SyntaxNode): boolean {
  const pending = [...literal.children()];
  while (pending.length > 0) {
    const node = pending.pop()!;
    if (rules.MEMBERS_IN_LITERALS.has(String(node.kind()))) return true;
    const { start, end } = node.range();
    if (end.line === start.line) continue;
    for (const child of node.children()) pending.push(child);
  }
  return false;
}

function bodyOf(source: Source, node: SyntaxNode): LineRange {
  const inside = insideOf(source, node);
  // The first line of a docstring says what the body is for.
  const first = node.child(0);
  if (first?.kind() === "expression_statement" && first.child(0)?.kind() === "string") {
    return { from: inside.from + 1, to: inside.to };
  }
  return inside;
}

function outsideOf({ lines }: Source, node: SyntaxNode): LineRange {
  const { start, end } = node.range();
  return { from: start.line + 1, to: lines.lineOfLastInk(start.index, end.index) };
}

/** The lines of a node that are nothing but its inside. */
function insideOf(source: Source, outer: SyntaxNode): LineRange {
  const node = unwrap(outer);
  const { from, to } = outsideOf(source, node);
  const { start } = node.range();
  const first = node.child(0);
  const delimited = first !== null && (!first.isNamed() || TAGS.has(String(first.kind())));
  const beginsLine = source.lines.indentOf(from).length === start.column;
  const last = node.children().at(-1);
  const closed =
    last !== undefined && delimited && (!last.isNamed() || TAGS.has(String(last.kind())));
  // Without children it is one token, such as a comment: its first and last lines stay.
  const token = first === null;
  return {
    from: beginsLine && !delimited && !token ? from : from + 1,
    to: closed || token ? to - 1 : to,
  };
}

const TAGS = new Set(["start_tag", "end_tag", "string_start", "string_end"]);

/** A node that is nothing but another one. */
function unwrap(outer: SyntaxNode): SyntaxNode {
  let node = outer;
  for (let only = node.child(0); only; only = node.child(0)) {
    const inner = only.range();
    const { start, end } = node.range();
    if (inner.start.index !== start.index || inner.end.index !== end.index) break;
    node = only;
  }
  return node;
}

/** What follows the opening of a section, up to its first part with a heading of its own. */
function proseOf(source: Source, section: SyntaxNode): LineRange | undefined {
  const children = section.children();
  const nested = children.find((child) => child.kind() === "section");
  const whole = outsideOf(source, section);
  const to = nested ? nested.range().start.line : whole.to;
  const opening = children.find((child) => child.kind() === "paragraph");
  const head = opening && opening.range().start.line + 1 - whole.from <= 2 ? opening : children[0];
  const shown = head ? outsideOf(source, head) : whole;
  const from = Math.min(shown.to, shown.from + rules.PROSE_LINES_KEPT - 1) + 1;
  return atLeast(rules.MIN_PROSE_LINES, { from, to: lastInk(source, from, to) });
}

function lastInk({ lines }: Source, from: number, to: number): number {
  let line = to;
  while (line > from && lines.isBlank(line)) line--;
  return line;
}
