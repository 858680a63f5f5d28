// Finds code by its structure in one parsed source. Matches come in the order of the text,
// an outer one before those inside it.

import type { SyntaxNode } from "./engine.ts";
import type { Source } from "./parse-source.ts";
import {
  asConfig,
  compileQuery,
  type CompiledQuery,
  type StructuralQuery,
} from "./structural-pattern.ts";
import { succeed, type Outcome } from "./syntax-failure.ts";
import { findFlaw, type Flaw } from "./syntax-flaw.ts";

/** 1-based; columns in UTF-16 units, the end one past the last character. */
export interface Place {
  line: number;
  column: number;
}

export interface Capture {
  start: Place;
  end: Place;
  text: string;
}

export interface StructuralMatch extends Capture {
  kind: string;
  /** By name; one for a list is its whole text, and absent where the list is empty. */
  captures: Record<string, Capture>;
}

export interface SearchResult {
  matches: StructuralMatch[];
  /** There are more than `matches`. */
  truncated: boolean;
  /** All of them. */
  total: number;
  /** Where the tree is not sound; matches nearby may be missing. */
  flaw?: Flaw;
}

export const MAX_MATCHES_PER_SOURCE = 1000;
/** UTF-16 units of one match or capture; its place says where the rest is. */
const MAX_MATCH_CHARS = 8000;

export async function searchSource(
  source: Source,
  query: StructuralQuery,
  maxMatches: number = MAX_MATCHES_PER_SOURCE,
): Promise<Outcome<SearchResult>> {
  const compiled = await compileQuery(query, source.language);
  if (!compiled.ok) return compiled;
  const nodes = source.root.findAll(asConfig(compiled.value.matcher));
  const limit = Math.max(1, Math.min(maxMatches, MAX_MATCHES_PER_SOURCE));
  const matches = nodes.slice(0, limit).map((node) => matchOf(source, node, compiled.value));
  const flaw = findFlaw(source.root);
  return succeed({
    matches,
    truncated: nodes.length > limit,
    total: nodes.length,
    ...(flaw && { flaw }),
  });
}

function matchOf(source: Source, node: SyntaxNode, { captures }: CompiledQuery): StructuralMatch {
  const found: Record<string, Capture> = {};
  for (const [name, form] of captures) {
    const nodes = capturedNodes(node, name, form);
    if (nodes.length > 0) found[name] = captureOf(source, nodes);
  }
  return { ...captureOf(source, [node]), kind: String(node.kind()), captures: found };
}

export function capturedNodes(
  match: SyntaxNode,
  name: string,
  form: "node" | "list",
): SyntaxNode[] {
  if (form === "list") return match.getMultipleMatches(name);
  const node = match.getMatch(name);
  return node ? [node] : [];
}

function captureOf(source: Source, nodes: readonly SyntaxNode[]): Capture {
  const { start } = nodes[0]!.range();
  const { end } = nodes.at(-1)!.range();
  const whole = source.text.slice(start.index, end.index);
  return {
    start: { line: start.line + 1, column: start.column + 1 },
    end: { line: end.line + 1, column: end.column + 1 },
    text: whole.length > MAX_MATCH_CHARS ? `${whole.slice(0, MAX_MATCH_CHARS)}…` : whole,
  };
}
