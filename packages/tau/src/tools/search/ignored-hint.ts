// What is said when nothing was found: that there is something among the ignored files. Without it a
// model concludes that there is nothing, and looks no further.

import type { Workspace } from "../workspace.ts";
import { runSearch, type SearchRequest } from "./run-search.ts";

/** A hint must cost less than the search that it is about. */
export const HINT_TIMEOUT_MS = 1000;

/** How many files match among those that are ignored; for a search that found nothing else. */
export async function countIgnored(
  workspace: Workspace,
  request: SearchRequest,
): Promise<IgnoredCount | undefined> {
  const { result, scope } = await runSearch(workspace, {
    ...request,
    query: (of) => ({
      ...request.query(of),
      gitignore: false,
      contextBefore: 0,
      contextAfter: 0,
      skip: 0,
      maxFiles: 1,
      maxMatchesPerFile: 1,
      timeoutMs: HINT_TIMEOUT_MS,
    }),
  });
  if (scope === "single" || result.totals.files === 0) return undefined;
  return { files: result.totals.files, isAll: result.incomplete === undefined };
}

/** For the model, in a line. */
export function ignoredNote({ files, isAll }: IgnoredCount, what: IgnoredWord): string {
  const count = `${files.toLocaleString("en-US")} ${files === 1 ? what : `${what}s`}`;
  const verb = files === 1 ? "matches" : "match";
  return `[${isAll ? "" : "at least "}${count} ${verb} among what .gitignore leaves out: gitignore: false]`;
}

type IgnoredWord = "file" | "path";

export interface IgnoredCount {
  files: number;
  /** False if there was no time to count them all. */
  isAll: boolean;
}
