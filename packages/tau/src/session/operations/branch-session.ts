// A new session from the way to one entry of an old one, and nothing of what lies beside it.
// Names go along: the labels of entries on the way, and the title.

import type { LabelEntry, SessionEntry, TitleEntry } from "../entry.ts";
import { movesLeaf } from "../entry-kinds.ts";
import { createEntryIds } from "../log/entry-id.ts";
import { UnknownEntry } from "../log/log-error.ts";
import type { SessionSurroundings } from "../log/session-surroundings.ts";
import { openSource, type CopySource, type OpenedSource } from "./copy-source.ts";
import { createCopy, type CopyTarget } from "./copy-target.ts";
import type { CopiedSession } from "./fork-session.ts";
import { landingOn, type Landing } from "./landing.ts";

export interface BranchedSession extends CopiedSession {
  /** The words of the chosen entry, where they are to be said differently. */
  editorText?: string;
}

/** Throws `UnknownEntry`, `NotASession` or `StorageError`. */
export async function branchSession(
  from: CopySource,
  entryId: string,
  target: CopyTarget,
  surroundings: SessionSurroundings,
): Promise<BranchedSession> {
  const source = await openSource(from, surroundings);
  const way = await wayTo(source, entryId);
  const entries = along(source, way, surroundings.now ?? Date.now);
  const log = await createCopy(source, entries, target, surroundings);
  const { editorText } = way.landing;
  const { repairs } = source;
  return editorText === undefined ? { log, repairs } : { log, repairs, editorText };
}

interface Way {
  landing: Landing;
  ids: ReadonlySet<string>;
  labels: ReadonlyMap<string, string>;
  title: Pick<TitleEntry, "title" | "source"> | undefined;
}

/** Reads names and parents only; what the entries say is read when they are copied. */
async function wayTo(source: OpenedSource, entryId: string): Promise<Way> {
  const parents = new Map<string, string | null>();
  const labels = new Map<string, string>();
  let title: Way["title"];
  let landing: Landing | undefined;
  for await (const entry of source.entries()) {
    if (movesLeaf(entry)) parents.set(entry.id, entry.parentId);
    if (entry.id === entryId && movesLeaf(entry)) landing = landingOn(entry, entry.parentId);
    if (entry.type === "label") noteLabel(labels, entry);
    if (entry.type === "title") title = { title: entry.title, source: entry.source };
  }
  if (!landing) throw new UnknownEntry(entryId);
  const ids = new Set<string>();
  for (let id = landing.leafId; id !== null && !ids.has(id); id = parents.get(id) ?? null) {
    ids.add(id);
  }
  return { landing, ids, labels, title };
}

function noteLabel(labels: Map<string, string>, { targetId, label }: LabelEntry): void {
  if (label === undefined) labels.delete(targetId);
  else labels.set(targetId, label);
}

async function* along(
  source: OpenedSource,
  { ids, labels, title, landing }: Way,
  now: () => number,
): AsyncGenerator<SessionEntry> {
  let lastId: string | undefined;
  if (ids.size > 0) {
    for await (const entry of source.entries()) {
      if (!ids.has(entry.id)) continue;
      lastId = entry.id;
      yield entry;
    }
  }
  const nextId = createEntryIds(now, lastId);
  const parentId = landing.leafId;
  const timestamp = new Date(now()).toISOString();
  for (const [targetId, label] of labels) {
    if (!ids.has(targetId)) continue;
    yield { type: "label", id: nextId(), parentId, timestamp, targetId, label };
  }
  if (title) yield { type: "title", id: nextId(), parentId, timestamp, ...title };
}
