// What a hunk does to a text once blocks are resolved: some lines go, others come. A place
// between lines is named by the number of the line after it.

import { type Hunk, hunkHeader } from "./hunk.ts";
import type { LineIndex } from "./line-index.ts";
import { printContext } from "./numbered-lines.ts";
import { PatchError } from "./patch-error.ts";

export interface LineChange {
  /** First line that goes, or the line before which the body comes. */
  start: number;
  /** One past the last line that goes; equal to `start` for an insertion. */
  end: number;
  body: readonly string[];
  /** Where an insertion holds on, for the order of several at one place. */
  side: "head" | "after" | "before" | "tail" | "range";
  patchLine: number;
}

/** What a syntax tree says of the construct that begins on a line; both ends inclusive. */
export type BlockResolution = FoundBlock | { failure: string };

export interface FoundBlock {
  start: number;
  end: number;
  /** Lines of the construct around it that would be broken without anything in this place. */
  needed?: { start: number; end: number };
}

export type ResolveBlock = (line: number) => BlockResolution;

/** For the echo: what a block operation took. */
export interface ResolvedBlock {
  header: string;
  start: number;
  end: number;
}

export interface ResolvedHunk {
  change: LineChange;
  block?: ResolvedBlock;
}

export function resolveHunk(hunk: Hunk, index: LineIndex, resolve?: ResolveBlock): ResolvedHunk {
  const { patchLine } = hunk;
  switch (hunk.kind) {
    case "replace":
    case "delete":
      requireLine(hunk.end, index, patchLine);
      return { change: range(hunk.start, hunk.end, bodyOf(hunk), patchLine) };
    case "replace_block":
    case "delete_block": {
      requireLine(hunk.line, index, patchLine);
      const { start, end } = requireBlock(hunk, index, resolve);
      const block = { header: hunkHeader(hunk).replace(/:$/, ""), start, end };
      return { change: range(start, end, bodyOf(hunk), patchLine), block };
    }
    case "insert_before":
    case "insert_after": {
      requireLine(hunk.line, index, patchLine);
      const isAfter = hunk.kind === "insert_after";
      const start = isAfter ? hunk.line + 1 : hunk.line;
      const side = isAfter ? "after" : "before";
      return { change: { start, end: start, body: hunk.body, side, patchLine } };
    }
    case "insert_head":
      return { change: { start: 1, end: 1, body: hunk.body, side: "head", patchLine } };
    case "insert_tail": {
      const start = index.count + 1;
      return { change: { start, end: start, body: hunk.body, side: "tail", patchLine } };
    }
  }
}

function bodyOf(hunk: Hunk): readonly string[] {
  return "body" in hunk ? hunk.body : [];
}

function range(
  start: number,
  last: number,
  body: readonly string[],
  patchLine: number,
): LineChange {
  return { start, end: last + 1, body, side: "range", patchLine };
}

function requireLine(line: number, index: LineIndex, patchLine: number): void {
  if (line <= index.count) return;
  const size = index.count === 1 ? "1 line" : `${index.count} lines`;
  throw new PatchError(
    "line_out_of_range",
    `line ${line} does not exist: the file has ${size}. To add at the end, use \`insert tail:\`.`,
    { patchLine },
  );
}

function requireBlock(
  hunk: Extract<Hunk, { line: number }>,
  index: LineIndex,
  resolve: ResolveBlock | undefined,
): FoundBlock {
  const { line, patchLine } = hunk;
  const found = resolve?.(line) ?? { failure: "no syntax tree is available for this file" };
  // A resolver that is wrong about its own text must not reach the file.
  if ("start" in found && found.start <= line && line <= found.end && found.end <= index.count) {
    refuseNeeded(hunk, found);
    return found;
  }
  const why = "failure" in found ? found.failure : "the syntax tree does not fit the file";
  const verb = hunk.kind === "replace_block" ? `replace ${line}..M:` : `delete ${line}..M`;
  throw new PatchError(
    "unresolved_block",
    `\`${hunkHeader(hunk)}\` names no block that begins on line ${line} (${why}). Use \`${verb}\` with the block's last line for M.\n\n${printContext(index, [line])}`,
    { patchLine },
  );
}

function refuseNeeded(
  { kind, line, patchLine }: Extract<Hunk, { line: number }>,
  found: FoundBlock,
) {
  const { needed } = found;
  if (kind !== "delete_block" || !needed) return;
  throw new PatchError(
    "unresolved_block",
    `\`delete block ${line}\` takes all that stands in a body of lines ${needed.start}-${needed.end}, which may not be empty. Put something there with \`replace block ${line}:\`, or delete the whole with \`delete ${needed.start}..${needed.end}\`.`,
    { patchLine },
  );
}
