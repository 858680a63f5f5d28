// Finds and reads the central directory of a zip: from its end, by ranges, so that a large
// archive costs no more than its list of members.

import { ArchiveError, corruptArchive } from "./archive-error.ts";
import { MAX_DIRECTORY_BYTES, MAX_MEMBERS } from "./archive-limits.ts";
import type { ByteRanges } from "./file-ranges.ts";
import { parseCentralRecord, type ZipEntry } from "./zip-entry.ts";

export const END_SIGNATURE = 0x06054b50;
export const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50;
const ZIP64_LOCATOR_BYTES = 20;
const ZIP64_END_SIGNATURE = 0x06064b50;
const ZIP64_END_BYTES = 56;
const UINT16_MAX = 0xffff;
const UINT32_MAX = 0xffffffff;

export interface ZipDirectory {
  /** In the order of the directory. */
  entries: ZipEntry[];
  /** Where the directory begins: behind all members. */
  start: number;
  /** Bytes before the archive proper, as in a self-extracting one; offsets do not count them. */
  shift: number;
  comment: Uint8Array;
}

interface DirectoryPlace {
  count: number;
  size: number;
  offset: number;
  /** Where what describes the directory begins: the directory ends here. */
  end: number;
}

export async function readZipDirectory(file: ByteRanges): Promise<ZipDirectory> {
  const tailStart = Math.max(0, file.size - END_BYTES - MAX_COMMENT_BYTES);
  const tail = await file.read(tailStart, file.size - tailStart);
  const endAt = findEnd(tail);
  if (endAt === undefined) throw corruptArchive(file.path, "it has no list of members at its end");
  const place = await directoryPlace(file, tail, endAt, tailStart);
  if (place.count > MAX_MEMBERS) throw tooMany(file.path, place.count);
  if (place.size > MAX_DIRECTORY_BYTES) throw tooMany(file.path, place.count);
  const start = place.end - place.size;
  const shift = start - place.offset;
  if (start < 0 || shift < 0) throw corruptArchive(file.path, "its list of members is elsewhere");
  const directory = await file.read(start, place.size);
  const entries: ZipEntry[] = [];
  for (let at = 0; at < directory.length && entries.length < place.count;) {
    const parsed = parseCentralRecord(directory, at, shift);
    if (!parsed) throw corruptArchive(file.path, `member ${entries.length + 1} is not readable`);
    entries.push(parsed.entry);
    at = parsed.end;
  }
  if (entries.length !== place.count) throw corruptArchive(file.path, "members are missing");
  return { entries, start, shift, comment: tail.slice(endAt + END_BYTES) };
}

/** The last one whose comment reaches exactly to the end. */
function findEnd(tail: Uint8Array): number | undefined {
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (view.getUint32(at, true) !== END_SIGNATURE) continue;
    if (at + END_BYTES + view.getUint16(at + 20, true) === tail.length) return at;
  }
  return undefined;
}

async function directoryPlace(
  file: ByteRanges,
  tail: Uint8Array,
  endAt: number,
  tailStart: number,
): Promise<DirectoryPlace> {
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  const narrow = {
    count: view.getUint16(endAt + 10, true),
    size: view.getUint32(endAt + 12, true),
    offset: view.getUint32(endAt + 16, true),
    end: tailStart + endAt,
  };
  const isWide =
    narrow.count === UINT16_MAX || narrow.size === UINT32_MAX || narrow.offset === UINT32_MAX;
  const locatorAt = narrow.end - ZIP64_LOCATOR_BYTES;
  if (locatorAt < 0) return narrow;
  const locator = viewOf(await file.read(locatorAt, ZIP64_LOCATOR_BYTES));
  if (locator.getUint32(0, true) !== ZIP64_LOCATOR_SIGNATURE) {
    if (isWide) throw corruptArchive(file.path, "its 64-bit fields are missing");
    return narrow;
  }
  const wideAt = Number(locator.getBigUint64(8, true));
  // What is put before an archive moves this record too; it stands right before its locator.
  for (const at of [wideAt, locatorAt - ZIP64_END_BYTES]) {
    if (at < 0 || at + ZIP64_END_BYTES > file.size) continue;
    const wide = viewOf(await file.read(at, ZIP64_END_BYTES));
    if (wide.getUint32(0, true) !== ZIP64_END_SIGNATURE) continue;
    return {
      count: Number(wide.getBigUint64(32, true)),
      size: Number(wide.getBigUint64(40, true)),
      offset: Number(wide.getBigUint64(48, true)),
      end: at,
    };
  }
  throw corruptArchive(file.path, "its 64-bit fields are missing");
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function tooMany(path: string, count: number): ArchiveError {
  return new ArchiveError(
    "too_many",
    `${path} has ${count} members, more than are listed here: use the unzip command instead.`,
  );
}
