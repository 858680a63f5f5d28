// Whether a search could find anything of some kinds: a few looks at the disk, so that a start without
// any pays for no search. It may say yes for nothing, but never no for something.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { upwards } from "../base/upwards.ts";
import { userPatterns, type DiscoverOptions } from "./discover.ts";
import type { KindId } from "./kinds.ts";
import { hasPlugins } from "./plugins/plugin-places.ts";
import type { DiscoveryRow } from "./row.ts";
import { DISCOVERY_TABLE } from "./table.ts";

type Search = Pick<DiscoverOptions, "cwd" | "home" | "agentDirectory">;

/** Of files as a whole: what stands inside of other files is not looked for. */
export function mayFind(kinds: readonly KindId[], search: Search): boolean {
  const ways = upwards(search.cwd);
  const wanted = DISCOVERY_TABLE.filter(
    ({ kind, members, isInert }) => kinds.includes(kind) && members === undefined && !isInert,
  );
  const directories = new Set(wanted.flatMap((row) => fixedDirectories(row, ways, search)));
  if ([...directories].some((directory) => existsSync(directory))) return true;
  return ways.some((root) => hasPlugins({ ...search, root }));
}

function fixedDirectories(row: DiscoveryRow, ways: readonly string[], search: Search): string[] {
  const own = userPatterns(row, search).map(({ base, pattern }) => join(base, fixedPart(pattern)));
  const project = (row.project ?? []).map(fixedPart);
  return [...own, ...ways.flatMap((way) => project.map((part) => join(way, part)))];
}

/** Up to the first part of a pattern that may be several names; of a file's name, its directory. */
function fixedPart(pattern: string): string {
  const parts = pattern.split("/");
  const open = parts.findIndex((part) => /[*?{]/.test(part));
  return parts.slice(0, open < 0 ? -1 : open).join("/");
}
