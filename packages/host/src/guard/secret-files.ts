// Whether a directory that is read with all that is in it holds secrets: a bounded look at the disk,
// since names of projects say nothing about what lies in them.

import { join } from "node:path";
import { entriesOf } from "./directory-entries.ts";

/** Further down, and among more, nobody keeps what they use. */
const MAX_DEPTH = 3;
const MAX_ENTRIES = 3000;
/** Of others, or of git. */
const PASSED_OVER = new Set(["node_modules", ".git", ".venv", "venv", "target", "__pycache__"]);

/** The first that is found, with what it is. */
export function secretFileBelow(
  directory: string,
  secretOf: (path: string) => string | undefined,
): string | undefined {
  let left = MAX_ENTRIES;
  let level = [directory];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const place of level) {
      for (const entry of entriesOf(place)) {
        if (--left < 0) return undefined;
        const path = join(place, entry.name);
        const what = entry.isFile() ? secretOf(path) : undefined;
        if (what !== undefined) return what;
        if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) next.push(path);
      }
    }
    level = next;
  }
  return undefined;
}
