// A session that lives as long as its process: for embedding, for tests, and for looking at
// files of older formats. The tree is the same as on disk; only nothing is written.

import type { MailEntry, NewEntry, SessionEntry, SessionHeader } from "../entry.ts";
import { isState, movesLeaf } from "../entry-kinds.ts";
import type { BranchOptions, LogRepair, SessionLog } from "../session-log.ts";
import { createEntryIds } from "./entry-id.ts";
import { SessionClosed, SessionReadOnly, UnknownEntry } from "./log-error.ts";
import { newEntry } from "./flag-aside.ts";
import { leafAfter } from "./stored-entry.ts";
import { collectBranch, keptFrom } from "./tree.ts";

export interface MemoryLogOptions {
  header: SessionHeader;
  now: () => number;
  /** In the order in which they were written, with ids of their own. */
  entries?: readonly SessionEntry[];
  repairs?: readonly LogRepair[];
  /** The file that this is a view of; such a session is for reading. */
  viewOf?: string;
}

export class MemoryLog implements SessionLog {
  readonly header: SessionHeader;
  readonly path: string | undefined;
  readonly repairs: readonly LogRepair[];
  readonly #now: () => number;
  readonly #nextId: () => string;
  readonly #entries: SessionEntry[] = [];
  readonly #byId = new Map<string, SessionEntry>();
  readonly #children = new Map<string | null, SessionEntry[]>();
  readonly #labels = new Map<string, string>();
  readonly #asides = new Map<string, SessionEntry>();
  /** The aside entry that an entry was put below. */
  readonly #over = new Map<string, string>();
  #leafId: string | null = null;
  #title: string | undefined;
  #closed = false;

  constructor({ header, now, entries = [], repairs = [], viewOf }: MemoryLogOptions) {
    this.header = header;
    this.path = viewOf;
    this.repairs = repairs;
    this.#now = now;
    for (const entry of entries) this.#add(entry);
    this.#nextId = createEntryIds(now, entries.at(-1)?.id);
  }

  get leafId(): string | null {
    return this.#leafId;
  }

  get title(): string | undefined {
    return this.#title;
  }

  async append(entry: NewEntry): Promise<SessionEntry> {
    const [appended] = await this.appendAll([entry]);
    return appended!;
  }

  async appendAll(entries: readonly NewEntry[]): Promise<SessionEntry[]> {
    if (this.#closed) throw new SessionClosed();
    if (this.path !== undefined) throw new SessionReadOnly(this.path);
    for (const entry of entries) this.#assertTarget(entry);
    const timestamp = new Date(this.#now()).toISOString();
    return entries.map((given) => {
      const entry = newEntry(given, { id: this.#nextId(), parentId: this.#leafId, timestamp });
      this.#add(entry);
      return entry;
    });
  }

  async moveLeaf(leafId: string | null, reason: string): Promise<void> {
    await this.append({ type: "leaf", leafId, reason });
  }

  branch(options: BranchOptions = {}): Promise<SessionEntry[]> {
    const { leafId = this.#leafId, sinceCompaction = false } = options;
    const lookup = {
      load: async (id: string) => this.#byId.get(id),
      substituteParent: async () => null,
    };
    return collectBranch(lookup, leafId, { sinceCompaction });
  }

  async stateEntries(): Promise<SessionEntry[]> {
    return (await this.branch()).filter(isState);
  }

  async pendingMail(): Promise<MailEntry[]> {
    return this.#entries.filter((entry) => entry.type === "mail");
  }

  async entry(id: string): Promise<SessionEntry | undefined> {
    return this.#byId.get(id);
  }

  async *entries(): AsyncGenerator<SessionEntry> {
    yield* this.#entries.slice();
  }

  async childrenOf(id: string | null): Promise<SessionEntry[]> {
    return [...(this.#children.get(id) ?? [])];
  }

  async labels(): Promise<ReadonlyMap<string, string>> {
    return new Map(this.#labels);
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #assertTarget(entry: NewEntry): void {
    if (entry.type !== "leaf" || entry.leafId === null) return;
    const target = this.#byId.get(entry.leafId);
    if (!target || !movesLeaf(target)) throw new UnknownEntry(entry.leafId);
  }

  #add(given: SessionEntry): void {
    const entry = this.#hung(given);
    // One whose parent is not there before it is a root.
    const isKnown = entry.parentId !== null && this.#byId.has(entry.parentId);
    this.#entries.push(entry);
    this.#byId.set(entry.id, entry);
    this.#leafId = leafAfter(entry);
    if (entry.type === "title") this.#title = entry.title;
    if (entry.type === "label") {
      if (entry.label === undefined) this.#labels.delete(entry.targetId);
      else this.#labels.set(entry.targetId, entry.label);
    }
    if (!movesLeaf(entry)) return;
    const parent = isKnown ? entry.parentId : null;
    const siblings = this.#children.get(parent);
    if (siblings) siblings.push(entry);
    else this.#children.set(parent, [entry]);
  }

  /** Below no entry that stands aside: what an older Tau put there hangs on what that one hangs on. */
  #hung(entry: SessionEntry): SessionEntry {
    let hung = entry;
    const over = entry.parentId === null ? undefined : this.#asides.get(entry.parentId);
    if (over) hung = { ...hung, parentId: over.parentId };
    if (hung.type === "leaf" && hung.leafId !== null) {
      const target = this.#asides.get(hung.leafId);
      if (target) hung = { ...hung, leafId: target.parentId };
    }
    if (over) this.#over.set(entry.id, over.id);
    if (hung.type === "compaction" && this.#asides.has(hung.firstKeptEntryId)) {
      const kept = this.#childOver(hung, hung.firstKeptEntryId);
      if (kept !== undefined) hung = keptFrom(hung, kept);
    }
    if (!movesLeaf(hung)) this.#asides.set(hung.id, hung);
    return hung;
  }

  /** At or above `from`, the one that was put below the aside one. */
  #childOver(from: SessionEntry, asideId: string): string | undefined {
    for (let entry: SessionEntry | undefined = from; entry;) {
      const { id, parentId }: SessionEntry = entry;
      for (let over = this.#over.get(id); over !== undefined; over = this.#over.get(over)) {
        if (over === asideId) return id;
      }
      entry = parentId === null ? undefined : this.#byId.get(parentId);
    }
    return undefined;
  }
}
