// The files that an edit names, as it names them. Only the text is read: whether the edit fits
// what is there is the plan's business.

import { parseEnvelope } from "@tau/hashline/apply-patch/parse-envelope";
import { parsePatch } from "@tau/hashline/parse-patch";
import { PatchError } from "@tau/hashline/patch-error";
import { parseUnifiedDiff } from "@tau/hashline/unified-diff/parse-unified-diff";
import type { EditRequest, TextMode } from "./plan-edit.ts";

const READERS: Record<TextMode, (input: string) => (string | null | undefined)[]> = {
  hashline: (input) => parsePatch(input).sections.map(({ path }) => path),
  patch: (input) =>
    parseUnifiedDiff(input).files.flatMap(({ oldPath, newPath }) => [oldPath, newPath]),
  apply_patch: (input) =>
    parseEnvelope(input).files.flatMap((file) =>
      file.kind === "update" ? [file.path, file.moveTo] : [file.path],
    ),
};

/** Each once. None where the text is no edit: the plan meets the same mistake, and tells it. */
export function editedPaths(request: EditRequest): string[] {
  if (request.mode === "replace") return [request.path];
  try {
    const named = READERS[request.mode](request.input);
    return [...new Set(named)].filter((path) => typeof path === "string");
  } catch (error) {
    if (error instanceof PatchError) return [];
    throw error;
  }
}
