// The refusal of a patch whose text is not the file's any more. It shows the file as it is
// around every place the patch names, so that the next attempt needs no other look.

import { printFileHeader } from "./file-header.ts";
import type { Hunk, PatchSection } from "./hunk.ts";
import type { LineIndex } from "./line-index.ts";
import { printContext } from "./numbered-lines.ts";
import { PatchError, type PatchErrorCode } from "./patch-error.ts";

export type MismatchKind = "drifted" | "unknown" | "forgotten";

/** A patch may name thousands of lines; a model needs a few to find its way. */
const MAX_ANCHORS = 12;

const CODES: Record<MismatchKind, PatchErrorCode> = {
  drifted: "stale_tag",
  unknown: "unknown_tag",
  forgotten: "forgotten_tag",
};

export class MismatchError extends PatchError {
  readonly kind: MismatchKind;
  readonly currentTag: string;

  constructor(
    kind: MismatchKind,
    { path, tag, patchLine, hunks }: PatchSection,
    current: LineIndex,
    currentTag: string,
  ) {
    const why = {
      drifted: `${path} has changed since #${tag}, at or next to lines that the patch names, so nothing was changed`,
      unknown: `#${tag} was never shown for ${path} in this session, so nothing was changed`,
      forgotten: `#${tag} of ${path} is from too long ago to be known still, so nothing was changed`,
    }[kind];
    const anchors = hunks.flatMap((hunk) => anchorsOf(hunk, current));
    const context = printContext(current, new Set(anchors.slice(0, MAX_ANCHORS)));
    const header = printFileHeader(path, currentTag);
    super(
      CODES[kind],
      `${why}. Read the file, or write the patch anew for this state:\n\n${header}\n${context}`,
      { patchLine, path },
    );
    this.kind = kind;
    this.currentTag = currentTag;
  }
}

/** The lines a hunk hangs on, as far as the file has them. */
function anchorsOf(hunk: Hunk, current: LineIndex): number[] {
  return namedLines(hunk, current).filter((line) => line >= 1 && line <= current.count);
}

function namedLines(hunk: Hunk, current: LineIndex): number[] {
  if ("line" in hunk) return [hunk.line];
  if ("start" in hunk) return [hunk.start, hunk.end];
  return [hunk.kind === "insert_head" ? 1 : current.count];
}
