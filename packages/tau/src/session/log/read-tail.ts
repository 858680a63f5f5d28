// Finds where a session file really ends: behind the last line that may have been
// acknowledged. A line without its end, and a batch that is not complete, were never
// acknowledged and are cut; a whole line that is damaged may have been, and stays.

import type { ByteSource } from "./byte-source.ts";
import { isBlank, linesBackward, type RawLine } from "./read-lines.ts";
import { decodeEntry, type StoredEntry } from "./stored-entry.ts";

export interface Tail {
  /** The newest good entry. */
  last: StoredEntry | undefined;
  /** Bytes that count; what follows is a torn write. */
  size: number;
  /** What follows, in bytes. */
  tornBytes: number;
  /** Whole entries among them: the written part of a batch. */
  tornEntries: number;
  /** The last entry is whole, but its line end is missing. */
  lacksLineEnd: boolean;
  /** Lines that count, the header included; an estimate where no good entry was found. */
  lines: number;
  /** Damaged lines behind the last good entry, oldest first. */
  damaged: { line: number; bytes: number }[];
}

interface Slot {
  raw: RawLine;
  found: StoredEntry | undefined;
}

export async function readTail(source: ByteSource, from: number, to: number): Promise<Tail> {
  const reading = linesBackward(source, from, to);
  const damaged: RawLine[] = [];
  let size = to;
  let tornEntries = 0;
  let lacksLineEnd = false;
  for await (const raw of reading) {
    const slot: Slot = { raw, found: decodeEntry(raw.bytes, raw.start) };
    if (!slot.found) {
      if (raw.ended) damaged.push(raw);
      else size = raw.start;
      continue;
    }
    const batch = slot.found.place?.batch;
    if (batch && batch[0] + damaged.length < batch[1]) {
      const torn = await tornBatch(reading, slot, batch);
      size = torn.start;
      tornEntries += torn.entries;
      damaged.length = 0;
      lacksLineEnd = false;
      continue;
    }
    lacksLineEnd = !raw.ended && size === to;
    return finish(slot.found, slot.found.place?.n ?? 1);
  }
  return finish(undefined, 1);

  function finish(last: StoredEntry | undefined, before: number): Tail {
    const lines = before + damaged.length;
    const reports = damaged
      .toReversed()
      .map((raw, index) => ({ line: before + index + 1, bytes: raw.end - raw.start, raw }))
      .filter(({ raw }) => !isBlank(raw))
      .map(({ line, bytes }) => ({ line, bytes }));
    const tornBytes = to - size;
    return { last, size, tornBytes, tornEntries, lacksLineEnd, lines, damaged: reports };
  }
}

/** Goes back over the lines of an incomplete batch to where it began. */
async function tornBatch(
  reading: AsyncGenerator<RawLine>,
  newest: Slot,
  batch: [number, number],
): Promise<{ start: number; entries: number }> {
  let { start } = newest.raw;
  let entries = 1;
  for (let expected = batch[0] - 1; expected >= 1; expected -= 1) {
    const { value: raw, done } = await reading.next();
    if (done) break;
    start = raw.start;
    if (decodeEntry(raw.bytes, raw.start)) entries += 1;
  }
  return { start, entries };
}
