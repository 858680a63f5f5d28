// Whether a path is in a directory, or the directory itself. Both are real paths: links are followed
// before anybody asks.

import { sep } from "node:path";

export function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}
