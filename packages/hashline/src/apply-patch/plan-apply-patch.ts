// The `apply_patch` mode: from the envelope to what becomes of every file it names.

import { applyContextHunks, type ContextOptions } from "../context-patch/apply-context-hunks.ts";
import { PatchError } from "../patch-error.ts";
import {
  type FilePlan,
  type LoadText,
  planAll,
  type PlannedFile,
  refuseExisting,
  requireText,
} from "../planned-file.ts";
import { type EnvelopeFile, parseEnvelope } from "./parse-envelope.ts";

export async function planApplyPatch(
  input: string,
  load: LoadText,
  options: ContextOptions = {},
): Promise<FilePlan> {
  return planAll(
    () => {
      const { files, warnings } = parseEnvelope(input);
      return { items: mergeUpdates(files), warnings };
    },
    (file) => planFile(file, load, options),
  );
}

/** Hunks of one file belong together; anything else about a file may be said once. */
function mergeUpdates(files: readonly EnvelopeFile[]): EnvelopeFile[] {
  const merged = new Map<string, EnvelopeFile>();
  for (const file of files) {
    const earlier = merged.get(file.path);
    if (!earlier) merged.set(file.path, file);
    else if (earlier.kind === "update" && file.kind === "update" && file.moveTo === undefined) {
      merged.set(file.path, { ...earlier, hunks: [...earlier.hunks, ...file.hunks] });
    } else refuseTwice(file.path, file.patchLine, earlier.patchLine);
  }
  const targets = new Map<string, number>();
  for (const file of merged.values()) {
    if (file.kind !== "update" || file.moveTo === undefined) continue;
    const other = merged.get(file.moveTo)?.patchLine ?? targets.get(file.moveTo);
    if (other !== undefined) refuseTwice(file.moveTo, file.patchLine, other);
    targets.set(file.moveTo, file.patchLine);
  }
  return [...merged.values()];
}

function refuseTwice(path: string, patchLine: number, earlier: number): never {
  throw new PatchError(
    "overlap",
    `${path} is already named on patch line ${earlier}. Say once what becomes of a file.`,
    { patchLine, path },
  );
}

async function planFile(
  file: EnvelopeFile,
  load: LoadText,
  options: ContextOptions,
): Promise<PlannedFile> {
  const { path, patchLine } = file;
  if (file.kind === "add") {
    await refuseExisting(load, path, patchLine);
    const after = file.lines.map((line) => `${line}\n`).join("");
    return { kind: "create", path, after, warnings: [] };
  }
  const before = await requireText(load, path, patchLine);
  if (file.kind === "delete") return { kind: "delete", path, before, warnings: [] };
  if (file.moveTo !== undefined) await refuseExisting(load, file.moveTo, patchLine);
  const { moveTo } = file;
  if (file.hunks.length === 0) {
    const unchanged = { before, after: before, firstChangedLine: 1, warnings: [] };
    return { kind: "update", path, moveTo, ...unchanged };
  }
  const {
    text: after,
    firstChangedLine,
    warnings,
  } = applyContextHunks(before, file.hunks, options);
  return { kind: "update", path, before, after, moveTo, firstChangedLine, warnings };
}
