// A session's log on disk: the tree and its position, made of a reader for what is there
// and a writer for what comes. An append decides its place at once, in the order of calls,
// and is acknowledged when it is durable; what others see is only what was acknowledged.

import { StorageError } from "@tau/host/storage-error";
import type { LeafEntry, MailEntry, NewEntry, SessionEntry, SessionHeader } from "../entry.ts";
import { isState, movesLeaf } from "../entry-kinds.ts";
import type { BranchOptions, LogRepair, SessionLog } from "../session-log.ts";
import { BranchCache } from "./branch-cache.ts";
import { createEntryIds } from "./entry-id.ts";
import {
  SessionChanged,
  SessionClosed,
  SessionReadOnly,
  SessionRescued,
  UnknownEntry,
} from "./log-error.ts";
import type { LogFile } from "./log-file.ts";
import type { LogReader } from "./log-reader.ts";
import { LogWriter } from "./log-writer.ts";
import type { BlobStore } from "./blob-store.ts";
import type { Position } from "./position.ts";
import { stageEntries, type StagedEntries } from "./stage-entries.ts";
import { collectBranch } from "./tree.ts";

export interface DurableLogOptions {
  header: SessionHeader;
  path: string;
  reader: LogReader;
  /** Undefined where it was opened for reading. */
  file: LogFile | undefined;
  blobs: BlobStore | undefined;
  position: Position;
  /** The newest id of the file. */
  lastId: string | undefined;
  now: () => number;
  /** Puts what memory has of a lost file into another one. */
  rescue?: (branch: readonly SessionEntry[]) => Promise<{ path: string; id: string }>;
}

export class DurableLog implements SessionLog {
  readonly header: SessionHeader;
  readonly #options: DurableLogOptions;
  readonly #reader: LogReader;
  readonly #writer: LogWriter | undefined;
  readonly #nextId: () => string;
  readonly #cache = new BranchCache();
  #acknowledged: Position;
  /** Where the next append goes, if all that is under way succeeds. */
  #staged: Position;
  /** Set while a move waits to learn where its target is; appends keep their order behind it. */
  #gate: Promise<void> | undefined;
  #closed = false;
  #rescue: Promise<Error> | undefined;

  constructor(options: DurableLogOptions) {
    const { header, reader, file, blobs, position, lastId, now } = options;
    this.header = header;
    this.#options = options;
    this.#reader = reader;
    this.#acknowledged = position;
    this.#staged = position;
    this.#nextId = createEntryIds(now, lastId);
    this.#writer = file && new LogWriter(file, blobs, () => (this.#staged = this.#acknowledged));
  }

  get path(): string {
    return this.#options.file?.path ?? this.#options.path;
  }

  get leafId(): string | null {
    return this.#acknowledged.leafId;
  }

  get title(): string | undefined {
    return this.#acknowledged.title;
  }

  get repairs(): readonly LogRepair[] {
    return this.#reader.repairs;
  }

  async append(entry: NewEntry): Promise<SessionEntry> {
    const [appended] = await this.appendAll([entry]);
    return appended!;
  }

  appendAll(entries: readonly NewEntry[]): Promise<SessionEntry[]> {
    if (this.#closed) return Promise.reject(new SessionClosed());
    if (!this.#writer) return Promise.reject(new SessionReadOnly(this.path));
    if (entries.length === 0) return Promise.resolve([]);
    const unknown = entries.flatMap((entry) =>
      entry.type === "leaf" && entry.leafId !== null && !this.#reader.placeOf(entry.leafId)
        ? [entry.leafId]
        : [],
    );
    if (!this.#gate && unknown.length === 0) return this.#stage(entries);
    return this.#stageBehindGate(entries, unknown);
  }

  async moveLeaf(leafId: string | null, reason: string): Promise<void> {
    const move: Omit<LeafEntry, "id" | "parentId" | "timestamp"> = { type: "leaf", leafId, reason };
    await this.append(move);
  }

  async branch(options: BranchOptions = {}): Promise<SessionEntry[]> {
    const { leafId = this.leafId, sinceCompaction = false } = options;
    const path = await collectBranch(this.#lookup, leafId, { sinceCompaction });
    if (!sinceCompaction) return path;
    const whole = await this.#mended(path);
    if (leafId === this.leafId) this.#cache.fill(whole);
    return whole;
  }

  async stateEntries(): Promise<SessionEntry[]> {
    const { leafId, leaf } = this.#acknowledged;
    const found = await this.#reader.stateFrom(leaf);
    return found ?? (await this.branch({ leafId })).filter(isState);
  }

  pendingMail(): Promise<MailEntry[]> {
    return this.#reader.mailFrom(this.#acknowledged.mail.offset);
  }

  async entry(id: string): Promise<SessionEntry | undefined> {
    return this.#cache.get(id) ?? (await this.#reader.entry(id));
  }

  entries(): AsyncIterable<SessionEntry> {
    return this.#reader.entries();
  }

  async childrenOf(id: string | null): Promise<SessionEntry[]> {
    const ids = (await this.#reader.index()).childrenOf(id);
    const children: SessionEntry[] = [];
    for (const child of ids) {
      const entry = await this.entry(child);
      if (entry) children.push(entry);
    }
    return children;
  }

  async labels(): Promise<ReadonlyMap<string, string>> {
    return new Map((await this.#reader.index()).labels);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#gate;
    await this.#writer?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /**
   * An earlier compaction may have kept from before the first entry of the path: if an older Tau wrote
   * it, from one that stands aside, which the walk did not come to.
   */
  #mended(path: readonly SessionEntry[]): Promise<SessionEntry[]> {
    const ids = new Set(path.map(({ id }) => id));
    return Promise.all(
      path.map(async (entry) => {
        const isCut = entry.type === "compaction" && !ids.has(entry.firstKeptEntryId);
        return (isCut ? await this.#reader.entry(entry.id) : undefined) ?? entry;
      }),
    );
  }

  readonly #lookup = {
    load: async (id: string) => this.#cache.get(id) ?? (await this.#reader.load(id)),
    substituteParent: async (entry: SessionEntry) =>
      (await this.#reader.index()).parentOf(entry.id),
  };

  #stageBehindGate(
    entries: readonly NewEntry[],
    unknown: readonly string[],
  ): Promise<SessionEntry[]> {
    const before = this.#gate ?? Promise.resolve();
    // In an array: a promise would be waited for, and the gate is only about the order.
    const staged = before.then(async () => {
      for (const id of unknown) await this.#reader.locate(id);
      return [this.#stage(entries)] as const;
    });
    const open = (): void => {
      if (this.#gate === gate) this.#gate = undefined;
    };
    const gate: Promise<void> = staged.then(open, open);
    this.#gate = gate;
    return staged.then(([appended]) => appended);
  }

  async #stage(entries: readonly NewEntry[]): Promise<SessionEntry[]> {
    const staged = stageEntries(entries, {
      position: this.#staged,
      nextId: this.#nextId,
      timestamp: new Date(this.#options.now()).toISOString(),
      images: this.#options.blobs ? "outside" : "inline",
      placeOf: (id) => {
        const place = this.#reader.placeOf(id);
        if (!place) throw new UnknownEntry(id);
        return place;
      },
    });
    this.#staged = staged.after;
    const { bytes, blobs } = staged;
    const added = staged.lines.map(({ entry }) => entry);
    try {
      await this.#writer!.write({ bytes, blobs, onDurable: () => this.#acknowledge(staged) });
    } catch (error) {
      throw error instanceof SessionChanged ? await this.#rescued(error, added) : error;
    }
    return added;
  }

  /** Once: with what could not be written the first time. */
  #rescued(error: SessionChanged, added: readonly SessionEntry[]): Promise<Error> {
    const { rescue } = this.#options;
    this.#rescue ??= (async () => {
      const branch = [...this.#cache.branchTo(this.leafId), ...added.filter(movesLeaf)];
      if (!rescue || branch.length === 0) return error;
      try {
        return new SessionRescued(error.path, await rescue(branch));
      } catch (failure) {
        // The disk is full, or gone: then there is nothing to tell but what happened first.
        if (failure instanceof StorageError) return error;
        throw failure;
      }
    })();
    return this.#rescue;
  }

  #acknowledge({ lines, after }: StagedEntries): void {
    this.#acknowledged = after;
    let isMoved = false;
    for (const { entry, place, start, end } of lines) {
      this.#reader.noteAppended(entry, place, start, end);
      if (movesLeaf(entry)) this.#cache.add(entry);
      if (entry.type === "leaf" || entry.type === "compaction") isMoved = true;
    }
    if (isMoved) this.#cache.prune(after.leafId);
  }
}
