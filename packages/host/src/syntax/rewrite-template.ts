// What a match is replaced by: the template's text with captured code in it. Captured code
// keeps its own separators and comments; lines after its first move with the indentation of
// their new place, except inside strings, where white space is content.

import type { SyntaxNode } from "./engine.ts";
import type { Source } from "./parse-source.ts";
import type { SourceLines } from "./source-lines.ts";
import { capturedNodes } from "./structural-search.ts";
import type { CompiledQuery } from "./structural-pattern.ts";
import { metavariablesIn, type Metavariable } from "./metavariable.ts";
import { fail, succeed, type Outcome } from "./syntax-failure.ts";

/** Nodes whose lines are content and not layout. */
const TEXTUAL = /string|template|heredoc|text|char|comment/;

export interface Template {
  out: string;
  holes: Metavariable[];
}

/** A name that the pattern does not capture is code where that is code, and else a mistake. */
export function readTemplate(
  source: Source,
  out: string,
  { captures }: CompiledQuery,
): Outcome<Template> {
  const holes: Metavariable[] = [];
  for (const hole of metavariablesIn(out)) {
    if (hole.name !== undefined && captures.has(hole.name)) holes.push(hole);
    else if (!source.language.dollarIsCode) {
      const written = out.slice(hole.start, hole.end);
      const known = [...captures.keys()].map((name) => `$${name}`).join(", ") || "nothing";
      return fail(
        "bad_template",
        `The replacement uses ${written}, but the pattern captures ${known}; name it in the pattern too.`,
      );
    }
  }
  return succeed({ out, holes });
}

export function fillTemplate(
  source: Source,
  match: SyntaxNode,
  { out, holes }: Template,
  { captures }: CompiledQuery,
): string {
  const { lines } = source;
  const line = match.range().start.line + 1;
  const newline = newlineAt(lines, line);
  const base = lines.indentOf(line);
  // The match keeps the indentation of its first line; the template's further lines follow it.
  const layout = (text: string): string => text.replaceAll(/\r?\n/g, newline + base);
  let filled = "";
  let at = 0;
  for (const hole of holes) {
    let before = out.slice(at, hole.start);
    at = hole.end;
    const nodes = capturedNodes(match, hole.name!, captures.get(hole.name!)!);
    if (nodes.length === 0) {
      // An empty list takes the comma beside it along.
      const after = /^\s*,\s*/.exec(out.slice(at));
      if (after) at += after[0].length;
      else before = before.replace(/,\s*$/, "");
    }
    filled += layout(before);
    if (nodes.length > 0) filled += moved(source, nodes, base + indentIn(out, hole.start));
  }
  return filled + layout(out.slice(at));
}

/** As the line itself ends or, where it is the last, the one before. */
function newlineAt(lines: SourceLines, line: number): string {
  const near = line === lines.count ? [line, line - 1] : [line];
  return near.some((at) => at > 0 && lines.textOf(at).endsWith("\r")) ? "\r\n" : "\n";
}

/** The indentation of the line of a template that an offset is on. */
function indentIn(out: string, offset: number): string {
  const start = out.lastIndexOf("\n", offset - 1) + 1;
  return start === 0 ? "" : /^[ \t]*/.exec(out.slice(start))![0];
}

function moved(source: Source, nodes: readonly SyntaxNode[], indent: string): string {
  const { lines, text } = source;
  const { start } = nodes[0]!.range();
  const { end } = nodes.at(-1)!.range();
  const code = text.slice(start.index, end.index);
  const old = lines.indentOf(start.line + 1);
  if (start.line === end.line || old === indent) return code;
  const fixed = contentLines(nodes);
  return code
    .split("\n")
    .map((line, at) => {
      if (at === 0 || fixed.has(start.line + at) || line.trim() === "") return line;
      return line.startsWith(old) ? indent + line.slice(old.length) : line;
    })
    .join("\n");
}

/** 0-based lines that begin inside a string. */
function contentLines(nodes: readonly SyntaxNode[]): Set<number> {
  const fixed = new Set<number>();
  const pending = [...nodes];
  while (pending.length > 0) {
    const node = pending.pop()!;
    const { start, end } = node.range();
    if (start.line === end.line) continue;
    if (TEXTUAL.test(String(node.kind()))) {
      for (let line = start.line + 1; line <= end.line; line++) fixed.add(line);
    } else for (const child of node.children()) pending.push(child);
  }
  return fixed;
}
