// Paths as the model reads them: by directory, so that no directory is spelled twice. The
// groups stand in the order of the newest path of each, and so do the names within them; what
// has no directory comes first, because it has no heading either.

import { printableName } from "../../resources/printable-name.ts";

/** Text of a result, in bytes. */
export const MAX_LIST_BYTES = 50 * 1024;

export interface GroupedPaths {
  text: string;
  /** Paths that fit. */
  shown: number;
}

/** `paths` newest first; directories end in a slash. */
export function groupPaths(paths: readonly string[], maxBytes = MAX_LIST_BYTES): GroupedPaths {
  const groups = new Map<string, string[]>([["", []]]);
  let left = maxBytes;
  let shown = 0;
  for (const path of paths) {
    const at = path.lastIndexOf("/", path.length - 2) + 1;
    const directory = path.slice(0, at);
    const name = printableName(path.slice(at));
    const group = groups.get(directory);
    const heading = group ? 0 : Buffer.byteLength(printableName(directory)) + 3;
    left -= heading + Buffer.byteLength(name) + 1;
    if (left < 0) break;
    if (group) group.push(name);
    else groups.set(directory, [name]);
    shown++;
  }
  const rows = [...groups].flatMap(([directory, names]) =>
    directory === "" ? names : [`# ${printableName(directory)}`, ...names],
  );
  return { text: rows.join("\n"), shown };
}
