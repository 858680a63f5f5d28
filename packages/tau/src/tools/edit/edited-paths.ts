// The files that an edit names, as it names them. Only the text is read: whether the edit fits
// what is there is the plan's business.

import { parseEnvelope } from "@tau/hashline/apply-patch/parse-envelope";
import type { PatchSection } from "@tau/hashline/hunk";
import { parsePatch } from "@tau/hashline/parse-patch";
import { PatchError } from "@tau/hashline/patch-error";
import { parseUnifiedDiff } from "@tau/hashline/unified-diff/parse-unified-diff";
import type { EditRequest, TextMode } from "./plan-edit.ts";

export interface EditedPaths {
  /** Each once. */
  paths: string[];
  /** Those of them where nothing will be. */
  removed: ReadonlySet<string>;
}

type Named = [path: string | null | undefined, isRemoved: boolean][];

const READERS: Record<TextMode, (input: string) => Named> = {
  hashline: (input) => parsePatch(input).sections.flatMap(namedInSection),
  patch: (input) =>
    parseUnifiedDiff(input).files.flatMap(({ oldPath, newPath }) => [
      [oldPath, newPath !== oldPath && newPath !== undefined],
      [newPath, false],
    ]),
  apply_patch: (input) =>
    parseEnvelope(input).files.flatMap((file): Named => {
      if (file.kind !== "update") return [[file.path, file.kind === "delete"]];
      return [
        [file.path, file.moveTo !== undefined],
        [file.moveTo, false],
      ];
    }),
};

function namedInSection({ path, fileHunks }: PatchSection): Named {
  const targets = fileHunks.flatMap((hunk) => (hunk.kind === "move_file" ? [hunk.to] : []));
  return [[path, fileHunks.length > 0], ...targets.map((to): Named[number] => [to, false])];
}

/** None where the text is no edit: the plan meets the same mistake, and tells it. */
export function editedPaths(request: EditRequest): EditedPaths {
  if (request.mode === "replace") return { paths: [request.path], removed: new Set() };
  try {
    const named = READERS[request.mode](request.input).flatMap(([path, isRemoved]) =>
      typeof path === "string" ? [{ path, isRemoved }] : [],
    );
    const removed = named.filter(({ isRemoved }) => isRemoved).map(({ path }) => path);
    return { paths: [...new Set(named.map(({ path }) => path))], removed: new Set(removed) };
  } catch (error) {
    if (error instanceof PatchError) return { paths: [], removed: new Set() };
    throw error;
  }
}
