// The bytes of a new member of a zip: what stands before its data and what stands in the list
// of members.

import { CENTRAL_BYTES, CENTRAL_SIGNATURE } from "./zip-entry.ts";
import { DEFLATED, LOCAL_BYTES, LOCAL_SIGNATURE, STORED } from "./zip-read.ts";

/** Version 2.0 of the format is the first with deflate. */
const VERSION_NEEDED = 20;
const MADE_BY_UNIX = 3;
const UTF8_FLAG = 0x0800;
const REGULAR_FILE = 0o100000;
const DEFAULT_MODE = 0o644;
/** The dates of the format begin here and end 127 years later. */
const FIRST_YEAR = 1980;
const LAST_YEAR = 2107;

export interface NewZipMember {
  /** Header and data. */
  local: Uint8Array;
  /** For the list of members, when the place of `local` is known. */
  record(offset: number): Uint8Array;
}

export function newZipMember(member: {
  name: string;
  content: Uint8Array;
  /** Deflated. */
  packed: Uint8Array;
  mode: number | undefined;
  now: Date;
}): NewZipMember {
  const { content, packed, mode = DEFAULT_MODE, now } = member;
  const name = new TextEncoder().encode(member.name);
  const isSmaller = packed.length < content.length;
  const data = isSmaller ? packed : content;

  // Both headers have these fields, in the same order.
  const common = new Uint8Array(26);
  const view = new DataView(common.buffer);
  view.setUint16(0, VERSION_NEEDED, true);
  view.setUint16(2, UTF8_FLAG, true);
  view.setUint16(4, isSmaller ? DEFLATED : STORED, true);
  view.setUint32(6, dosTime(now), true);
  view.setUint32(10, Bun.hash.crc32(content), true);
  view.setUint32(14, data.length, true);
  view.setUint32(18, content.length, true);
  view.setUint16(22, name.length, true);

  const local = new Uint8Array(LOCAL_BYTES + name.length + data.length);
  new DataView(local.buffer).setUint32(0, LOCAL_SIGNATURE, true);
  local.set(common, 4);
  local.set(name, LOCAL_BYTES);
  local.set(data, LOCAL_BYTES + name.length);
  return {
    local,
    record(offset) {
      const record = new Uint8Array(CENTRAL_BYTES + name.length);
      const central = new DataView(record.buffer);
      central.setUint32(0, CENTRAL_SIGNATURE, true);
      central.setUint16(4, (MADE_BY_UNIX << 8) | VERSION_NEEDED, true);
      record.set(common, 6);
      central.setUint32(38, ((REGULAR_FILE | mode) << 16) >>> 0, true);
      central.setUint32(42, offset, true);
      record.set(name, CENTRAL_BYTES);
      return record;
    },
  };
}

/** Time in the lower half, date in the upper one. */
function dosTime(when: Date): number {
  const year = Math.min(Math.max(when.getFullYear(), FIRST_YEAR), LAST_YEAR) - FIRST_YEAR;
  const date = (year << 9) | ((when.getMonth() + 1) << 5) | when.getDate();
  const time =
    (when.getHours() << 11) | (when.getMinutes() << 5) | Math.floor(when.getSeconds() / 2);
  return ((date << 16) | time) >>> 0;
}
