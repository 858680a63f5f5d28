// Where a caret may stand in a line: between grapheme clusters, never inside one.

import { graphemeSegments } from "../components/grapheme-clusters.ts";

// Below the first combining mark (U+0300) nothing joins with its neighbour: what most
// people type needs no segmenting.
const FIRST_JOINING_CODE = 0x300;

function isPlainPair(line: string, offset: number): boolean {
  const before = line.charCodeAt(offset - 1);
  const after = line.charCodeAt(offset);
  return before < FIRST_JOINING_CODE && after < FIRST_JOINING_CODE;
}

function isBoundary(line: string, offset: number): boolean {
  if (offset <= 0 || offset >= line.length) return offset === 0 || offset === line.length;
  if (isPlainPair(line, offset)) return true;
  return graphemeSegments(line).containing(offset)?.index === offset;
}

/** `offset` where it is a boundary, otherwise the end of the cluster around it. */
export function snapForward(line: string, offset: number): number {
  if (offset >= line.length) return line.length;
  return isBoundary(line, offset) ? offset : nextBoundary(line, offset);
}

export function nextBoundary(line: string, offset: number): number {
  if (offset >= line.length) return line.length;
  if (offset + 1 < line.length && isPlainPair(line, offset + 1)) return offset + 1;
  const around = graphemeSegments(line).containing(offset);
  return around ? around.index + around.segment.length : line.length;
}

export function previousBoundary(line: string, offset: number): number {
  if (offset <= 1) return 0;
  if (isPlainPair(line, offset - 1)) return offset - 1;
  return graphemeSegments(line).containing(offset - 1)?.index ?? 0;
}
