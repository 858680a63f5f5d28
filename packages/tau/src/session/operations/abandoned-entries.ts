// What is left behind when the position moves to another branch.

import type { SessionEntry } from "../entry.ts";

/** Root to leaf, both; what is only on the left one, oldest first. */
export function abandonedEntries(
  left: readonly SessionEntry[],
  target: readonly SessionEntry[],
): SessionEntry[] {
  const stays = new Set(target.map((entry) => entry.id));
  // Branches share a beginning only, so that the last shared entry is the common ancestor.
  return left.slice(left.findLastIndex((entry) => stays.has(entry.id)) + 1);
}
