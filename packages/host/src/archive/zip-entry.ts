// One member of a zip as its central directory describes it: where it is, how it is packed, and
// the record itself, so that it can be written again with nothing changed but its place.

import { safeMemberName } from "./member-name.ts";
import { decodeCp437 } from "./cp437.ts";
import type { ArchiveMember } from "./archive-member.ts";

export const CENTRAL_SIGNATURE = 0x02014b50;
export const CENTRAL_BYTES = 46;
const UINT32_MAX = 0xffffffff;
const UTF8_FLAG = 0x0800;
const ENCRYPTED_FLAG = 0x0001;
const MADE_BY_UNIX = 3;
const FILE_TYPE = 0o170000;
const LINK_TYPE = 0o120000;
const DIRECTORY_TYPE = 0o040000;
const FILE = 0o100000;
const ZIP64_EXTRA = 0x0001;
const UNICODE_PATH_EXTRA = 0x7075;

export interface ZipEntry extends ArchiveMember {
  method: number;
  isEncrypted: boolean;
  crc: number;
  packedSize: number;
  /** Of its local header, from the beginning of the file. */
  offset: number;
  /** The central record as it is in the file. */
  record: Uint8Array;
  /** Where in `record` the offset stands, and in how many bytes. */
  offsetField: { at: number; bytes: 4 | 8 };
}

/** Undefined where there is no whole record at this place. */
export function parseCentralRecord(
  directory: Uint8Array,
  at: number,
  shift: number,
): { entry: ZipEntry; end: number } | undefined {
  const view = new DataView(directory.buffer, directory.byteOffset, directory.byteLength);
  if (at + CENTRAL_BYTES > directory.length) return undefined;
  if (view.getUint32(at, true) !== CENTRAL_SIGNATURE) return undefined;
  const nameEnd = at + CENTRAL_BYTES + view.getUint16(at + 28, true);
  const extraEnd = nameEnd + view.getUint16(at + 30, true);
  const end = extraEnd + view.getUint16(at + 32, true);
  if (end > directory.length) return undefined;
  const flags = view.getUint16(at + 8, true);
  const extra = directory.subarray(nameEnd, extraEnd);
  const sizes = wideSizes(view, at, extra, nameEnd);
  if (!sizes) return undefined;
  const rawName = directory.subarray(at + CENTRAL_BYTES, nameEnd);
  const archiveName = decodeName(rawName, flags, extra);
  const isUnix = view.getUint8(at + 5) === MADE_BY_UNIX;
  const attributes = isUnix ? view.getUint16(at + 40, true) : 0;
  const modifiedMs = dosTime(view.getUint16(at + 12, true), view.getUint16(at + 14, true));
  return {
    end,
    entry: {
      name: safeMemberName(archiveName),
      kind: kindOf(archiveName, attributes),
      size: sizes.size,
      mode: attributes === 0 ? undefined : attributes & 0o7777,
      modifiedMs,
      method: view.getUint16(at + 10, true),
      isEncrypted: (flags & ENCRYPTED_FLAG) !== 0,
      crc: view.getUint32(at + 16, true),
      packedSize: sizes.packedSize,
      offset: sizes.offset + shift,
      record: directory.slice(at, end),
      offsetField: { at: sizes.offsetAt - at, bytes: sizes.offsetBytes },
    },
  };
}

function kindOf(name: string, attributes: number): ArchiveMember["kind"] {
  const type = attributes & FILE_TYPE;
  if (name.endsWith("/") || type === DIRECTORY_TYPE) return "directory";
  if (type === LINK_TYPE) return "link";
  return type === 0 || type === FILE ? "file" : "other";
}

interface WideSizes {
  size: number;
  packedSize: number;
  offset: number;
  offsetAt: number;
  offsetBytes: 4 | 8;
}

/** What does not fit into 32 bits stands in an extra field, in this order, if it is there. */
function wideSizes(
  view: DataView,
  at: number,
  extra: Uint8Array,
  extraAt: number,
): WideSizes | undefined {
  const narrow = {
    packedSize: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    offset: view.getUint32(at + 42, true),
    offsetAt: at + 42,
    offsetBytes: 4 as const,
  };
  const field = extraField(extra, ZIP64_EXTRA);
  if (!field) return narrow;
  const wide: WideSizes = { ...narrow };
  let next = extraAt + field.from;
  const end = extraAt + field.to;
  const take = (): number | undefined => {
    if (next + 8 > end) return undefined;
    next += 8;
    return Number(view.getBigUint64(next - 8, true));
  };
  for (const name of ["size", "packedSize", "offset"] as const) {
    if (narrow[name] !== UINT32_MAX) continue;
    const value = take();
    if (value === undefined || !Number.isSafeInteger(value)) return undefined;
    wide[name] = value;
    if (name === "offset") Object.assign(wide, { offsetAt: next - 8, offsetBytes: 8 });
  }
  return wide;
}

function extraField(extra: Uint8Array, id: number): { from: number; to: number } | undefined {
  const view = new DataView(extra.buffer, extra.byteOffset, extra.byteLength);
  for (let at = 0; at + 4 <= extra.length;) {
    const to = at + 4 + view.getUint16(at + 2, true);
    if (to > extra.length) return undefined;
    if (view.getUint16(at, true) === id) return { from: at + 4, to };
    at = to;
  }
  return undefined;
}

function decodeName(raw: Uint8Array, flags: number, extra: Uint8Array): string {
  const unicode = extraField(extra, UNICODE_PATH_EXTRA);
  // A version byte and a checksum of the other name come first.
  if (unicode && unicode.to - unicode.from > 5) {
    return new TextDecoder().decode(extra.subarray(unicode.from + 5, unicode.to));
  }
  if ((flags & UTF8_FLAG) !== 0) return new TextDecoder().decode(raw);
  try {
    // Most programs write UTF-8 and forget to say so.
    return new TextDecoder("utf-8", { fatal: true }).decode(raw);
  } catch (error) {
    if (error instanceof TypeError) return decodeCp437(raw);
    throw error;
  }
}

function dosTime(time: number, date: number): number | undefined {
  const [year, month, day] = [1980 + (date >> 9), (date >> 5) & 15, date & 31];
  if (month === 0 || day === 0) return undefined;
  // Without a time zone: the local time of whoever reads is what every program takes it for.
  return new Date(year, month - 1, day, time >> 11, (time >> 5) & 63, (time & 31) * 2).getTime();
}
