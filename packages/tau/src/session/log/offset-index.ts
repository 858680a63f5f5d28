// Where every entry of a file stands and what its parent is: built by one reading of the
// file when somebody asks for more than the branch, and kept up to date from then on. It
// holds names and numbers, never what the entries say.

import type { SessionEntry } from "../entry.ts";
import { kindOf } from "../entry-kinds.ts";
import type { ByteSource } from "./byte-source.ts";
import { checkedBody, parseBody } from "./line.ts";
import { isBlank, linesForward, type RawLine } from "./read-lines.ts";
import { isEntry, leafAfter } from "./stored-entry.ts";

export interface DamagedLine {
  line: number;
  bytes: number;
}

interface IndexedEntry {
  id: string;
  offset: number;
  /** Its place among all entries; -1 for a root. Never one that stands aside. */
  parent: number;
  isAside: boolean;
}

/** What the index keeps of an entry, in the order the encoder writes it. */
const PREFIX =
  /^\{"type":"([a-z_]+)","id":"([\x20\x21\x23-\x5b\x5d-\x7e]*)","parentId":(null|"([\x20\x21\x23-\x5b\x5d-\x7e]*)"),"timestamp":"[\x20\x21\x23-\x5b\x5d-\x7e]*"(,"aside":true[,}])?/;
/** Longer than any prefix with ids of ours; others are parsed as a whole. */
const PREFIX_BYTES = 256;
const ROOT = -1;

type Head = Pick<SessionEntry, "type" | "id" | "parentId" | "aside">;

export class OffsetIndex {
  readonly damaged: DamagedLine[] = [];
  readonly labels = new Map<string, string>();
  /** The latest. */
  title: string | undefined;
  readonly #entries: IndexedEntry[] = [];
  readonly #ordinals = new Map<string, number>();
  readonly #children = new Map<number, number[]>();
  /** The aside entry below which an older Tau put an entry, because it did not know the kind. */
  readonly #over = new Map<number, number>();
  /** The position just before each damaged line, by its offset. */
  readonly #beforeDamage = new Map<number, number>();
  #beforeLatestDamage = ROOT;
  #leaf = ROOT;

  static async build(source: ByteSource, from: number, to: number): Promise<OffsetIndex> {
    const index = new OffsetIndex();
    let line = 1;
    for await (const raw of linesForward(source, from, to)) {
      line += 1;
      if (!index.#addRaw(raw) && !isBlank(raw)) index.#noteDamage(raw, line);
    }
    return index;
  }

  add(entry: SessionEntry, offset: number, up: number | undefined): void {
    this.#addHead(entry, offset, up);
    this.#addDetails(entry);
  }

  offsetOf(id: string): number | undefined {
    const ordinal = this.#ordinals.get(id);
    return ordinal === undefined ? undefined : this.#entries[ordinal]?.offset;
  }

  /** Where an entry hangs, also if its own parent's line is damaged or stands aside. */
  parentOf(id: string): string | null {
    const ordinal = this.#ordinals.get(id);
    const parent = ordinal === undefined ? ROOT : (this.#entries[ordinal]?.parent ?? ROOT);
    return this.#entries[parent]?.id ?? null;
  }

  isAside(id: string): boolean {
    return this.#entries[this.#ordinals.get(id) ?? ROOT]?.isAside === true;
  }

  /** What a compaction kept first: if that stands aside, the entry that was put below it. */
  keptFrom(compactionId: string, firstKeptId: string): string {
    const kept = this.#ordinals.get(firstKeptId);
    if (kept === undefined || !this.#entries[kept]!.isAside) return firstKeptId;
    let at = this.#ordinals.get(compactionId) ?? ROOT;
    for (; at !== ROOT; at = this.#entries[at]!.parent) {
      for (let over = this.#over.get(at); over !== undefined; over = this.#over.get(over)) {
        if (over === kept) return this.#entries[at]!.id;
      }
    }
    return firstKeptId;
  }

  /** Ids of the entries of the tree below `id`, oldest first. */
  childrenOf(id: string | null): string[] {
    const ordinal = id === null ? ROOT : this.#ordinals.get(id);
    const children = ordinal === undefined ? [] : (this.#children.get(ordinal) ?? []);
    return children.map((child) => this.#entries[child]!.id);
  }

  #addRaw(raw: RawLine): boolean {
    const body = raw.bytes && checkedBody(raw.bytes);
    if (!body) return false;
    const head = headOf(body);
    // Labels, moves and titles say more than their head; a parent that is not there is looked
    // for through the line's place.
    const known = head && (head.parentId === null || this.#ordinals.has(head.parentId));
    if (known && kindOf(head).indexed === "head") {
      this.#addHead(head, raw.start, undefined);
      return true;
    }
    const line = parseBody(body);
    if (!line || !isEntry(line.value)) return false;
    this.add(line.value, raw.start, line.place?.up);
    return true;
  }

  #addHead(head: Head, offset: number, up: number | undefined): void {
    const ordinal = this.#entries.length;
    const above = this.#parentFor(head.parentId, up);
    const parent = this.#standing(above);
    if (parent !== above) this.#over.set(ordinal, above);
    const isAside = kindOf(head).place === "aside";
    this.#entries.push({ id: head.id, offset, parent, isAside });
    // Of two entries of one name the first counts: it was the one acknowledged.
    if (!this.#ordinals.has(head.id)) this.#ordinals.set(head.id, ordinal);
    if (isAside) return;
    this.#leaf = ordinal;
    const siblings = this.#children.get(parent);
    if (siblings) siblings.push(ordinal);
    else this.#children.set(parent, [ordinal]);
  }

  #addDetails(entry: SessionEntry): void {
    if (entry.type === "leaf") {
      const target = leafAfter(entry);
      const found = target === null ? ROOT : (this.#ordinals.get(target) ?? this.#leaf);
      this.#leaf = this.#standing(found);
    }
    if (entry.type === "title") this.title = entry.title;
    if (entry.type !== "label") return;
    if (entry.label === undefined) this.labels.delete(entry.targetId);
    else this.labels.set(entry.targetId, entry.label);
  }

  /**
   * The child of a damaged line is taken for a child of the position before it: so a lost
   * line costs that line, not everything above it.
   */
  #parentFor(parentId: string | null, up: number | undefined): number {
    if (parentId === null) return ROOT;
    const known = this.#ordinals.get(parentId);
    if (known !== undefined) return known;
    const exact = up === undefined ? undefined : this.#beforeDamage.get(up);
    return exact ?? this.#beforeLatestDamage;
  }

  /** Itself, or what it hangs on if it stands aside. */
  #standing(ordinal: number): number {
    const entry = this.#entries[ordinal];
    return entry?.isAside ? entry.parent : ordinal;
  }

  #noteDamage(raw: RawLine, line: number): void {
    this.damaged.push({ line, bytes: raw.end - raw.start });
    this.#beforeDamage.set(raw.start, this.#leaf);
    this.#beforeLatestDamage = this.#leaf;
  }
}

function headOf(body: Uint8Array): Head | undefined {
  const length = Math.min(body.length, PREFIX_BYTES);
  const match = PREFIX.exec(Buffer.from(body.buffer, body.byteOffset, length).toString("latin1"));
  if (!match) return undefined;
  const [, type, id, parent, named, flag] = match;
  const parentId = parent === "null" ? null : named!;
  return { type: type as Head["type"], id: id!, parentId, aside: flag ? true : undefined };
}
