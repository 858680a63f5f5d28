// All that somebody has to know about an item before allowing it: what it would run, and which of
// the user's own things it would put out of force.

import type { DiscoveredItem } from "../discovery/item.ts";
import { shortPath } from "./show-sources.ts";
import type { TrustSubject } from "./trust-subject.ts";
import { whatWouldRun } from "./what-would-run.ts";

/** Lines, as they stand: whoever shows them must make them harmless first. */
export async function subjectEffects(
  subject: TrustSubject,
  items: readonly DiscoveredItem[],
  places: Parameters<typeof shortPath>[1],
): Promise<string[]> {
  const taken = items
    .filter(({ level, shadowedBy }) => level === "user" && isSame(shadowedBy, subject.item))
    .map((own) => `replaces your own: ${shortPath(own.path, places)}`);
  return [...(await whatWouldRun(subject)), ...taken];
}

function isSame(one: DiscoveredItem | undefined, other: DiscoveredItem | undefined): boolean {
  if (!one || !other) return false;
  return one.kind === other.kind && one.name === other.name && one.path === other.path;
}
