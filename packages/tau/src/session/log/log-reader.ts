// Reads entries of one file on demand: by id through hints or the index, in file order, or
// as children. It remembers offsets and not payloads, and reports each damage once.

import type { MailEntry, SessionEntry } from "../entry.ts";
import { kindOf, movesLeaf } from "../entry-kinds.ts";
import type { LogRepair } from "../session-log.ts";
import type { BlobStore } from "./blob-store.ts";
import type { ByteSource } from "./byte-source.ts";
import { rehydrateImages } from "./image-blobs.ts";
import type { LinePlace } from "./line.ts";
import { OffsetIndex, type DamagedLine } from "./offset-index.ts";
import { ownPlace, parentPlace, type EntryPlace } from "./position.ts";
import { isBlank, linesForward, LineWindow } from "./read-lines.ts";
import { decodeEntry, type StoredEntry } from "./stored-entry.ts";
import { keptFrom } from "./tree.ts";

export interface LogReaderOptions {
  source: ByteSource;
  blobs?: BlobStore | undefined;
  /** Where the first entry begins. */
  dataStart: number;
  /** Bytes that count. */
  size: number;
  path: string;
  /** Where repairs are noted; others may note theirs there too. */
  repairs?: LogRepair[];
}

export class LogReader {
  readonly repairs: LogRepair[];
  readonly #options: LogReaderOptions;
  readonly #window: LineWindow;
  /** Of positions in the tree. */
  readonly #places = new Map<string, EntryPlace>();
  /** Offsets that children gave; what stands there is checked when it is read. */
  readonly #hints = new Map<string, number>();
  readonly #reported = new Set<string>();
  #size: number;
  #index: Promise<OffsetIndex> | undefined;

  constructor(options: LogReaderOptions) {
    this.#options = options;
    this.repairs = options.repairs ?? [];
    this.#size = options.size;
    this.#window = new LineWindow(options.source);
  }

  get size(): number {
    return this.#size;
  }

  /** An entry that has just become durable at the end of the file. */
  noteAppended(entry: SessionEntry, place: LinePlace, start: number, end: number): void {
    this.#size = end;
    this.learn({ entry, place, start });
    // One under way was told where to stop before this entry, and is told of it when it is
    // done: before anybody who asks for it from now on. Its failure is for who asked.
    this.#index?.then(
      (index) => index.add(entry, start, place.up),
      () => undefined,
    );
  }

  /** As its line has it: its parent may be one that stands aside. */
  async load(id: string): Promise<SessionEntry | undefined> {
    const stored = await this.#find(id);
    return stored && this.#whole(stored);
  }

  /** An entry as it hangs in the tree. */
  async entry(id: string): Promise<SessionEntry | undefined> {
    const entry = await this.load(id);
    return entry && this.#hung(entry, (parentId) => this.standing(parentId));
  }

  /** The position that an id means: itself, or what it hangs on if it stands aside. */
  async standing(id: string): Promise<string | null | undefined> {
    const seen = new Set<string>();
    for (let at: string | null = id; at !== null && !seen.has(at);) {
      if (this.#places.has(at)) return at;
      seen.add(at);
      const stored = await this.#find(at);
      if (!stored) return undefined;
      if (movesLeaf(stored.entry)) return at;
      at = stored.entry.parentId;
    }
    return null;
  }

  /** Where a position of the tree stands; undefined where there is none of that name. */
  async locate(id: string): Promise<EntryPlace | undefined> {
    const known = this.#places.get(id);
    if (known) return known;
    return (await this.#find(id)) && this.#places.get(id);
  }

  /** What is known without reading. */
  placeOf(id: string): EntryPlace | undefined {
    return this.#places.get(id);
  }

  /** Remembers what a line says about itself and its parent. */
  learn({ entry, place, start }: StoredEntry): void {
    if (movesLeaf(entry)) {
      this.#places.set(entry.id, ownPlace(entry, start, parentPlace(entry, place)));
    } else this.#hints.set(entry.id, start);
    const target = entry.type === "leaf" ? entry.leafId : entry.parentId;
    if (target !== null && place?.up !== undefined) this.#hints.set(target, place.up);
  }

  async entryAt(offset: number): Promise<StoredEntry | undefined> {
    const stored = decodeEntry(await this.#window.at(offset, this.#size), offset);
    if (stored) this.learn(stored);
    return stored;
  }

  async *entries(): AsyncGenerator<SessionEntry> {
    const { source, dataStart } = this.#options;
    let line = 1;
    /** What the entries that stand aside hang on. */
    const asides = new Map<string, string | null>();
    const standing = (id: string): string | null | undefined => asides.get(id);
    for await (const raw of linesForward(source, dataStart, this.#size)) {
      line += 1;
      const stored = decodeEntry(raw.bytes, raw.start);
      if (stored) {
        const entry = await this.#hung(await this.#whole(stored), standing);
        if (!movesLeaf(entry)) asides.set(entry.id, entry.parentId);
        yield entry;
      } else if (!isBlank(raw)) this.reportDamage({ line, bytes: raw.end - raw.start });
    }
  }

  index(): Promise<OffsetIndex> {
    if (this.#index) return this.#index;
    const building = this.#buildIndex();
    this.#index = building;
    building.catch(() => {
      // Whoever waits gets the failure; the next one to ask gets another attempt.
      this.#index = undefined;
    });
    return building;
  }

  /**
   * The entries at and above `place` that are not conversation, root first; undefined where
   * the hints do not hold and the branch must be walked.
   */
  async stateFrom(place: EntryPlace): Promise<SessionEntry[] | undefined> {
    const found: SessionEntry[] = [];
    for (let { state: at, isComplete } = place; ;) {
      if (!isComplete) return undefined;
      if (at === undefined) return found.toReversed();
      const stored = await this.entryAt(at);
      const kind = stored && kindOf(stored.entry).place;
      // An older Tau takes what it does not know for state: it is on the way, and says nothing.
      if (!stored || kind === "conversation" || kind === "summary") return undefined;
      if (kind === "state") found.push(await this.#whole(stored));
      const above = parentPlace(stored.entry, stored.place);
      // Upwards is backwards in an append-only file; anything else is no hint of ours.
      if (above.state !== undefined && above.state >= at) return undefined;
      ({ state: at, isComplete } = above);
    }
  }

  /** The mail entry at `offset` and those before it that mattered then, oldest first. */
  async mailFrom(offset: number | undefined): Promise<MailEntry[]> {
    const found: MailEntry[] = [];
    for (let at = offset; at !== undefined;) {
      const stored = await this.entryAt(at);
      // A changed file: what is known by then is the answer.
      if (stored?.entry.type !== "mail") break;
      found.push((await this.#whole(stored)) as MailEntry);
      const before = stored.place?.mail;
      if (before !== undefined && before >= at) break;
      at = before;
    }
    return found.toReversed();
  }

  reportDamage({ line, bytes }: DamagedLine): void {
    this.report(`line ${line}`, {
      kind: "bad_line",
      message: `Line ${line} of ${this.#options.path} is damaged (${bytes} bytes) and was skipped; it stays in the file.`,
      line,
      bytes,
    });
  }

  /** Each `key` once. */
  report(key: string, repair: LogRepair): void {
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.repairs.push(repair);
  }

  async #find(id: string): Promise<StoredEntry | undefined> {
    for (const offset of [this.#places.get(id)?.offset, this.#hints.get(id)]) {
      const stored = offset === undefined ? undefined : await this.entryAt(offset);
      if (stored?.entry.id === id) return stored;
    }
    const offset = (await this.index()).offsetOf(id);
    return offset === undefined ? undefined : this.entryAt(offset);
  }

  /** `standing` answers for ids that stand aside, and may leave out others. */
  async #hung(
    entry: SessionEntry,
    standing: (id: string) => string | null | undefined | Promise<string | null | undefined>,
  ): Promise<SessionEntry> {
    let hung = entry;
    if (entry.parentId !== null) {
      const parentId = await standing(entry.parentId);
      if (parentId !== undefined && parentId !== entry.parentId) hung = { ...hung, parentId };
    }
    if (hung.type === "leaf" && hung.leafId !== null) {
      const leafId = await standing(hung.leafId);
      if (leafId !== undefined && leafId !== hung.leafId) hung = { ...hung, leafId };
    }
    if (hung.type !== "compaction") return hung;
    const { id, firstKeptEntryId: kept } = hung;
    const above = await standing(kept);
    if (above === undefined || above === kept) return hung;
    return keptFrom(hung, (await this.index()).keptFrom(id, kept));
  }

  async #buildIndex(): Promise<OffsetIndex> {
    const { source, dataStart } = this.#options;
    const index = await OffsetIndex.build(source, dataStart, this.#size);
    for (const damage of index.damaged) this.reportDamage(damage);
    return index;
  }

  #whole({ entry }: StoredEntry): Promise<SessionEntry> {
    return rehydrateImages(entry, this.#options.blobs, ({ hash, reason }) => {
      const why = reason ?? "it is missing or damaged in the blob store";
      this.report(`blob ${hash}`, {
        kind: "missing_blob",
        message: `An image in ${this.#options.path} cannot be shown: ${why} (${hash}).`,
      });
    });
  }
}
