// Hunks about a file as a whole: it is deleted, or it moves. They go with the other sections, all
// or none, and a place is promised to one file only.

import { type FileHunk, hunkHeader, type PatchSection } from "./hunk.ts";
import { PatchError } from "./patch-error.ts";
import { type LoadText, refuseExisting } from "./planned-file.ts";

export interface FileFate {
  isDeleted: boolean;
  moveTo: string | undefined;
}

/** Throws a `PatchError` for what cannot all become true. Sections are one for each file. */
export function refuseFileConflicts(
  sections: readonly PatchSection[],
  identify: (path: string) => string,
): void {
  const taken = new Map(sections.map(({ path, patchLine }) => [identify(path), patchLine]));
  for (const section of sections) {
    const [hunk, another] = section.fileHunks;
    if (!hunk) continue;
    const other = another ?? (hunk.kind === "delete_file" ? section.hunks[0] : undefined);
    if (other) throw contradiction(section, hunk, other);
    if (hunk.kind === "delete_file") continue;
    const target = identify(hunk.to);
    const earlier = taken.get(target);
    if (earlier !== undefined) throw takenPlace(section, hunk, earlier);
    taken.set(target, hunk.patchLine);
  }
}

export async function planFileHunk(section: PatchSection, load: LoadText): Promise<FileFate> {
  const [hunk] = section.fileHunks;
  if (hunk?.kind !== "move_file") return { isDeleted: hunk !== undefined, moveTo: undefined };
  await refuseExisting(load, hunk.to, hunk.patchLine);
  return { isDeleted: false, moveTo: hunk.to };
}

function contradiction(
  { path }: PatchSection,
  hunk: FileHunk,
  other: FileHunk | PatchSection["hunks"][number],
): PatchError {
  const [first, second] = hunk.patchLine < other.patchLine ? [hunk, other] : [other, hunk];
  return new PatchError(
    "overlap",
    `\`${hunkHeader(second)}\` does not go with \`${hunkHeader(first)}\` on patch line ${first.patchLine}. A file that is deleted has no other hunks, and it moves to one place.`,
    { patchLine: second.patchLine, path },
  );
}

function takenPlace(
  { path, patchLine }: PatchSection,
  hunk: FileHunk & { kind: "move_file" },
  earlier: number,
): PatchError {
  const why =
    earlier === patchLine
      ? "is where the file is already"
      : `is already named on patch line ${earlier}`;
  return new PatchError("overlap", `${hunk.to} ${why}. Choose another path, or use two calls.`, {
    patchLine: hunk.patchLine,
    path,
  });
}
