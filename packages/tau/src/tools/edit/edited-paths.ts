// The files that an edit names, as it names them. Only the text is read: whether the edit fits
// what is there is the plan's business. The names of a diff alone need a look at what is there.

import { parseEnvelope } from "@tau/hashline/apply-patch/parse-envelope";
import type { PatchSection } from "@tau/hashline/hunk";
import { parsePatch } from "@tau/hashline/parse-patch";
import { PatchError } from "@tau/hashline/patch-error";
import { parseUnifiedDiff } from "@tau/hashline/unified-diff/parse-unified-diff";
import { nameFiles } from "@tau/hashline/unified-diff/plan-unified-diff";
import type { Workspace } from "../workspace.ts";
import { EditableFiles } from "./editable-files.ts";
import { decodeName } from "./plan-diff.ts";
import type { EditRequest } from "./plan-edit.ts";

export interface EditedPaths {
  /** Each once. */
  paths: string[];
  /** Those of them where nothing will be. */
  removed: ReadonlySet<string>;
}

type Named = [path: string | undefined, isRemoved: boolean][];

async function namedBy(request: EditRequest, workspace: Workspace): Promise<Named> {
  switch (request.mode) {
    case "replace":
      return [[request.path, false]];
    case "hashline":
      return parsePatch(request.input).sections.flatMap(namedInSection);
    case "patch":
      return namedByDiff(request, workspace);
    case "apply_patch":
      return parseEnvelope(request.input).files.flatMap((file): Named => {
        if (file.kind !== "update") return [[file.path, file.kind === "delete"]];
        return [
          [file.path, file.moveTo !== undefined],
          [file.moveTo, false],
        ];
      });
  }
}

async function namedByDiff(
  { input, isBytes }: { input: string; isBytes?: boolean },
  workspace: Workspace,
): Promise<Named> {
  const { exists, load } = new EditableFiles(workspace);
  const options = { exists, decodeName: isBytes === true ? decodeName : undefined };
  const named = await nameFiles(parseUnifiedDiff(input).files, load, options);
  return named.flatMap(({ file, oldPath, newPath }): Named => [
    [oldPath, newPath !== oldPath],
    [newPath, false],
    // What is copied comes to light in another place; whoever guards it is asked.
    [file.git?.copyFrom, false],
  ]);
}

function namedInSection({ path, fileHunks }: PatchSection): Named {
  const targets = fileHunks.flatMap((hunk) => (hunk.kind === "move_file" ? [hunk.to] : []));
  return [[path, fileHunks.length > 0], ...targets.map((to): Named[number] => [to, false])];
}

/** None where the text is no edit: the plan meets the same mistake, and tells it. */
export async function editedPaths(
  request: EditRequest,
  workspace: Workspace,
): Promise<EditedPaths> {
  try {
    const named = (await namedBy(request, workspace)).flatMap(([path, isRemoved]) =>
      path === undefined ? [] : [{ path, isRemoved }],
    );
    const removed = named.filter(({ isRemoved }) => isRemoved).map(({ path }) => path);
    return { paths: [...new Set(named.map(({ path }) => path))], removed: new Set(removed) };
  } catch (error) {
    if (error instanceof PatchError) return { paths: [], removed: new Set() };
    throw error;
  }
}
