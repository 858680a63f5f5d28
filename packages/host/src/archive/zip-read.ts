// Unpacks one member of a zip: only its own bytes are read, and never more than the bound is
// unpacked, whatever the archive claims.

import { promisify } from "node:util";
import { ArchiveError, corruptArchive } from "./archive-error.ts";
import { MAX_MEMBER_BYTES, MAX_RATIO, RATIO_FREE_BYTES } from "./archive-limits.ts";
import type { ByteRanges } from "./file-ranges.ts";
import type { ZipEntry } from "./zip-entry.ts";

export const LOCAL_SIGNATURE = 0x04034b50;
export const LOCAL_BYTES = 30;
export const STORED = 0;
export const DEFLATED = 8;

/** For people: what the numbers in the file mean. */
const METHOD_NAMES: Record<number, string> = {
  1: "Shrink",
  6: "Implode",
  9: "Deflate64",
  12: "bzip2",
  14: "LZMA",
  93: "Zstandard",
  95: "XZ",
  98: "PPMd",
  99: "AES encryption",
};

export async function readZipEntry(
  file: ByteRanges,
  entry: ZipEntry,
  maxBytes: number = MAX_MEMBER_BYTES,
): Promise<Uint8Array> {
  const name = entry.name ?? "the member";
  if (entry.isEncrypted || entry.method === 99) {
    throw new ArchiveError(
      "encrypted",
      `${name} is encrypted: unpack ${file.path} with its password first.`,
    );
  }
  if (entry.method !== STORED && entry.method !== DEFLATED) {
    const method = METHOD_NAMES[entry.method] ?? `method ${entry.method}`;
    throw new ArchiveError(
      "unsupported",
      `${name} is packed with ${method}, which is not read here: unpack ${file.path} with 7z first.`,
    );
  }
  if (entry.size > maxBytes || entry.packedSize > maxBytes) throw tooLarge(file, entry, maxBytes);
  if (entry.size > RATIO_FREE_BYTES && entry.size > entry.packedSize * MAX_RATIO) {
    throw corruptArchive(file.path, `${name} claims to be larger than it can be`);
  }
  const header = await file.read(entry.offset, LOCAL_BYTES);
  const view = new DataView(header.buffer);
  if (view.getUint32(0, true) !== LOCAL_SIGNATURE) {
    throw corruptArchive(file.path, `${name} is not where the list of members says`);
  }
  const start = entry.offset + LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
  const packed = await file.read(start, entry.packedSize);
  const bytes = entry.method === STORED ? packed : await inflate(file, entry, packed, maxBytes);
  if (bytes.length !== entry.size) {
    throw corruptArchive(file.path, `${name} has ${bytes.length} bytes, not ${entry.size}`);
  }
  if (Bun.hash.crc32(bytes) !== entry.crc) {
    throw corruptArchive(file.path, `the checksum of ${name} is wrong`);
  }
  return bytes;
}

async function inflate(
  file: ByteRanges,
  entry: ZipEntry,
  packed: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array> {
  const { inflateRaw } = await import("node:zlib");
  try {
    // One more than it claims: what is longer is found out without unpacking all of it.
    const maxOutputLength = Math.min(entry.size, maxBytes) + 1;
    return await promisify<Uint8Array, object, Buffer>(inflateRaw)(packed, { maxOutputLength });
  } catch (error) {
    if (entry.size >= maxBytes) throw tooLarge(file, entry, maxBytes);
    throw corruptArchive(file.path, `${entry.name} cannot be unpacked`, error);
  }
}

function tooLarge(file: ByteRanges, entry: ZipEntry, maxBytes: number): ArchiveError {
  return new ArchiveError(
    "too_large",
    `${entry.name} has ${entry.size} bytes and at most ${maxBytes} are read from an archive: unpack ${file.path} with unzip and read the file.`,
  );
}
