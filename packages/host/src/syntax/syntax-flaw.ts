// Where a tree is not sound. A parser always gives a tree; what it could not place is in an
// ERROR node, and what it had to imagine is a node without text.

import type { SyntaxNode } from "./engine.ts";

/** Empty in well-formed texts too: markers that Markdown's parser sets at line starts. */
const EMPTY_BY_NATURE = new Set(["block_continuation"]);

export interface Flaw {
  /** 1-based. */
  line: number;
  column: number;
  what: string;
}

export function isError(node: SyntaxNode): boolean {
  return node.kind() === "ERROR";
}

/** The first flaw in a node, the node itself included. */
export function findFlaw(node: SyntaxNode): Flaw | undefined {
  const error = isError(node) ? node : node.find({ rule: { kind: "ERROR" } });
  const first = [error, findImagined(node)[0]]
    .filter((found) => found !== null && found !== undefined)
    .sort((a, b) => a.range().start.index - b.range().start.index)[0];
  if (!first) return undefined;
  const { line, column } = first.range().start;
  const what = isError(first) ? "text that does not fit" : `a missing "${String(first.kind())}"`;
  return { line: line + 1, column: column + 1, what };
}

/** What the parser took to be there although it is not. */
export function findImagined(node: SyntaxNode): SyntaxNode[] {
  return node
    .findAll({ rule: { regex: "^$" } })
    .filter((empty) => empty.isLeaf() && !EMPTY_BY_NATURE.has(String(empty.kind())))
    .filter((empty) => !isRoot(empty));
}

/** The tree of an empty text is one node without text. */
function isRoot(node: SyntaxNode): boolean {
  return node.parent() === null;
}
