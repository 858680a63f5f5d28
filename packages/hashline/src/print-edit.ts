// The result of an edit as the model reads it: the header to edit on with, what block
// operations took, the changed lines, and warnings last.

import { compactDiff } from "./compact-diff.ts";
import { printFileHeader } from "./file-header.ts";
import type { ResolvedBlock } from "./line-change.ts";

export interface PrintableEdit {
  path: string;
  before: string;
  after: string;
  blocks?: readonly ResolvedBlock[];
  /** Where it was before it moved here. */
  movedFrom?: string;
}

/** `tag` is that of the text as it was written, which a formatter may have changed. */
export function printEdit(
  { path, before, after, blocks = [], movedFrom }: PrintableEdit,
  tag: string,
): string {
  const diff = compactDiff(before, after);
  const rows = [printFileHeader(path, tag), ...blocks.map(printBlock)];
  if (movedFrom !== undefined) rows.push(`Moved ${movedFrom} to ${path}`);
  if (diff !== "") rows.push(diff);
  else if (movedFrom === undefined) rows.push(`Updated ${path}`);
  return rows.join("\n");
}

export function printWarnings(warnings: readonly string[]): string {
  return warnings.length === 0 ? "" : ["Warnings:", ...new Set(warnings)].join("\n");
}

function printBlock({ header, start, end }: ResolvedBlock): string {
  const count = end - start + 1;
  return `${header} → resolved lines ${start}-${end} (${count} ${count === 1 ? "line" : "lines"})`;
}
