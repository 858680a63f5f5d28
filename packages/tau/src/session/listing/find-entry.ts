// Which entry of a session a user means: by its label, or by either end of its id, as trees
// show it. What could be several is refused with all of them named.

import { EXIT } from "../../exit-code.ts";
import { UserError } from "../../user-error.ts";
import type { SessionEntry } from "../entry.ts";
import { movesLeaf } from "../entry-kinds.ts";

const MOST_CANDIDATES = 5;

export async function findEntry(
  entries: AsyncIterable<SessionEntry>,
  wanted: string,
): Promise<string> {
  const key = wanted.toLowerCase();
  const found = new Set<string>();
  const labels = new Map<string, string>();
  for await (const entry of entries) {
    if (entry.type === "label") labels.set(entry.targetId, entry.label ?? "");
    if (!movesLeaf(entry)) continue;
    if (entry.id === wanted) return wanted;
    const id = entry.id.toLowerCase();
    if (id.startsWith(key) || id.endsWith(key)) found.add(entry.id);
  }
  const labelled = [...labels].filter(([, label]) => label === wanted).map(([id]) => id);
  const candidates = labelled.length > 0 ? labelled : [...found];
  if (candidates.length === 1) return candidates[0]!;
  if (candidates.length === 0) {
    const next = "see tau sessions tree for the entries of a session";
    throw new UserError(`the session has no entry "${wanted}"; ${next}`, EXIT.usage);
  }
  const named = candidates.slice(0, MOST_CANDIDATES).join(", ");
  throw new UserError(`"${wanted}" is ambiguous: ${named}; give more of the id`, EXIT.usage);
}
