// What a decision about a project is about: everything of it that would run, start or redirect
// something, each with a hash of all the bytes that its effect depends on.

import { relative } from "node:path";
import type { DiscoveredItem } from "../discovery/item.ts";
import { KIND_IDS, KINDS, type KindId } from "../discovery/kinds.ts";
import { watchesStream } from "../discovery/watches-stream.ts";

export interface TrustSubject {
  /** From the project's root, with the entry in the file: `.mcp.json#mcpServers.db`. */
  id: string;
  kind: KindId;
  /** Absent for files that belong to no item, but stand where items may load them from. */
  item?: DiscoveredItem;
  /** Absent where nobody can vouch for it. */
  hash?: string;
  /** Why nobody can, as the second half of a sentence. */
  unvouchable?: string;
}

/** The kinds that something to decide about may be of: of rules, those that stop replies. */
export const TRUST_KINDS: readonly KindId[] = KIND_IDS.filter(
  (kind) => KINDS[kind].executes || kind === "rules",
);

/** A user's own things need no leave, and what only another tool runs does nothing here. */
export function needsTrust(item: DiscoveredItem): boolean {
  return (
    item.level === "project" &&
    (KINDS[item.kind].executes || watchesStream(item)) &&
    !item.isInert &&
    item.heldBack === undefined
  );
}

export function subjectId(root: string, item: DiscoveredItem): string {
  const path = relative(root, item.path);
  return item.member ? `${path}#${item.member.path.join(".")}` : path;
}
