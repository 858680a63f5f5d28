// Puts one member into a zip. Everything else is copied as it is, byte by byte, with whatever
// stands between members; only the offsets in the list of members change.

import { promisify } from "node:util";
import type { FileHandle } from "node:fs/promises";
import { realDiskCalls, writeFully } from "../disk-calls.ts";
import { ArchiveError, corruptArchive } from "./archive-error.ts";
import { MAX_REWRITE_BYTES } from "./archive-limits.ts";
import { assertWritable, findMember } from "./archive-member.ts";
import { FileRanges } from "./file-ranges.ts";
import { END_BYTES, END_SIGNATURE, readZipDirectory, type ZipDirectory } from "./zip-directory.ts";
import { newZipMember } from "./zip-member.ts";
import { LOCAL_BYTES } from "./zip-read.ts";
import type { ZipEntry } from "./zip-entry.ts";

/** The list has 16 bits for its length, and 0xffff means that it is longer. */
const MAX_WRITTEN_MEMBERS = 0xfffe;

/** A stretch of the old file that belongs to one member: header, data, and what follows. */
interface Span {
  entry: ZipEntry;
  end: number;
}

/** The same bytes with one member more; `existing` is undefined for a new archive. */
export async function writeZipMember(
  existing: FileRanges | undefined,
  target: FileHandle,
  name: string,
  content: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  const old: ZipDirectory = existing
    ? await readZipDirectory(existing)
    : { entries: [], start: 0, shift: 0, comment: new Uint8Array() };
  if (old.entries.length >= MAX_WRITTEN_MEMBERS || old.start > MAX_REWRITE_BYTES) {
    throw new ArchiveError(
      "too_large",
      `${existing?.path} is too large to be written here: use the zip command instead.`,
    );
  }
  assertWritable(old.entries, name);
  const replaced = findMember(old.entries, name);
  const { deflateRaw } = await import("node:zlib");
  const packed = await promisify<Uint8Array, Buffer>(deflateRaw)(content);
  const member = newZipMember({ name, content, packed, mode: replaced?.mode, now: new Date() });

  const spans = existing ? spansOf(existing, old) : [];
  const records = new Map<ZipEntry, Uint8Array>();
  let length = spans[0]?.entry.offset ?? old.start;
  if (existing) await existing.copy(0, length, target, signal);
  for (const { entry, end } of spans) {
    if (entry === replaced) {
      records.set(entry, member.record(length - old.shift));
      await writeFully(realDiskCalls, target, member.local);
      length += member.local.length;
    } else if (entry.name !== name) {
      records.set(entry, movedRecord(entry, length - old.shift));
      await existing!.copy(entry.offset, end - entry.offset, target, signal);
      length += end - entry.offset;
    }
  }
  const added = replaced ? [] : [member.record(length - old.shift)];
  if (!replaced) {
    await writeFully(realDiskCalls, target, member.local);
    length += member.local.length;
  }
  const directory = [...old.entries.flatMap((entry) => records.get(entry) ?? []), ...added];
  const size = directory.reduce((sum, record) => sum + record.length, 0);
  await writeFully(realDiskCalls, target, Buffer.concat(directory, size));
  const end = endRecord(directory.length, size, length - old.shift, old.comment);
  await writeFully(realDiskCalls, target, end);
}

function spansOf(file: FileRanges, { entries, start }: ZipDirectory): Span[] {
  const sorted = entries.toSorted((a, b) => a.offset - b.offset);
  return sorted.map((entry, index) => {
    const end = sorted[index + 1]?.offset ?? start;
    // Members that share bytes are made to deceive; moving them apart is nobody's intention.
    if (entry.offset + LOCAL_BYTES + entry.packedSize > end) {
      throw corruptArchive(file.path, "its members overlap");
    }
    return { entry, end };
  });
}

function movedRecord({ record, offsetField }: ZipEntry, offset: number): Uint8Array {
  const moved = record.slice();
  const view = new DataView(moved.buffer);
  if (offsetField.bytes === 8) view.setBigUint64(offsetField.at, BigInt(offset), true);
  else view.setUint32(offsetField.at, offset, true);
  return moved;
}

function endRecord(count: number, size: number, offset: number, comment: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(END_BYTES + comment.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, END_SIGNATURE, true);
  view.setUint16(8, count, true);
  view.setUint16(10, count, true);
  view.setUint32(12, size, true);
  view.setUint32(16, offset, true);
  view.setUint16(20, comment.length, true);
  bytes.set(comment, END_BYTES);
  return bytes;
}
