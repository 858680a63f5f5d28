// Parses a patch of the edit language.

import type { PatchSection } from "./hunk.ts";
import { PatchError } from "./patch-error.ts";
import { isAbortRow, PatchReader } from "./patch-reader.ts";

/** Far beyond what a model writes in one call; keeps a runaway input from costing minutes. */
export const MAX_PATCH_LENGTH = 16 * 1024 * 1024; // UTF-16 units

export const FENCE_WARNING = "The code fence around the patch was left out. Send the patch alone.";

export interface ParsedPatch {
  /** Empty if the patch was aborted. */
  sections: PatchSection[];
  warnings: string[];
  /** `*** Abort` anywhere cancels the whole patch. */
  isAborted: boolean;
}

interface Span {
  first: number;
  /** Exclusive. */
  end: number;
}

const OPENING_FENCE = /^\s*(?:```|~~~)/;
const CLOSING_FENCE = /^\s*(?:```|~~~)\s*$/;

/** Throws a `PatchError` and nothing else. */
export function parsePatch(input: string): ParsedPatch {
  refuseHuge(input);
  const rows = input.split("\n");
  // Whoever gave up on a patch did not care to finish it: abort wins over any mistake.
  if (rows.some(isAbortRow)) return { sections: [], warnings: [], isAborted: true };
  const reader = new PatchReader();
  const problem = readRows(reader, rows, unfenced(rows, reader));
  if (problem) throw problem;
  reader.close();
  if (reader.sections.length === 0) {
    throw new PatchError(
      "empty_patch",
      "The patch is empty. Begin with `¶PATH#TAG` and name what to change below it.",
    );
  }
  return { sections: reader.sections, warnings: reader.warnings, isAborted: false };
}

function refuseHuge(input: string): void {
  if (input.length <= MAX_PATCH_LENGTH) return;
  throw new PatchError(
    "too_large",
    `The patch has ${input.length} characters, more than the ${MAX_PATCH_LENGTH} that fit. Split it, or use the write tool.`,
  );
}

function readRows(reader: PatchReader, rows: string[], span: Span): PatchError | undefined {
  try {
    for (let at = span.first; at < span.end; at++) {
      reader.read(rows[at]!, at + 1);
    }
    return undefined;
  } catch (error) {
    if (error instanceof PatchError) return error;
    throw error;
  }
}

/** The rows without the code fence that some models put around a patch. */
function unfenced(rows: readonly string[], reader: PatchReader): Span {
  const first = rows.findIndex((row) => row.trim() !== "");
  const whole = { first: 0, end: rows.length };
  if (first === -1 || !OPENING_FENCE.test(rows[first]!)) return whole;
  const last = rows.findLastIndex((row) => row.trim() !== "");
  reader.warn(FENCE_WARNING);
  const isClosed = last > first && CLOSING_FENCE.test(rows[last]!);
  return { first: first + 1, end: isClosed ? last : rows.length };
}
