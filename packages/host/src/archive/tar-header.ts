// The 512-byte header of a tar member: reading those of all common writers, and making one.

import type { ArchiveMember } from "./archive-member.ts";

export const BLOCK_BYTES = 512;
const NAME_BYTES = 100;
const PREFIX_AT = 345;
const PREFIX_BYTES = 155;
/** Eleven octal digits. */
const MAX_OCTAL_SIZE = 0o77777777777;

export interface TarHeader {
  name: string;
  mode: number;
  size: number;
  modifiedS: number;
  /** One character; "0" for a file. */
  type: string;
  linkName: string;
}

const KINDS: Record<string, ArchiveMember["kind"]> = {
  "0": "file",
  "7": "file",
  "5": "directory",
  "1": "link",
  "2": "link",
};

export function kindOfType(type: string): ArchiveMember["kind"] {
  return KINDS[type] ?? "other";
}

export function isZeroBlock(block: Uint8Array): boolean {
  return block.every((byte) => byte === 0);
}

/** Undefined where the checksum is wrong: it is no header. */
export function parseTarHeader(block: Uint8Array): TarHeader | undefined {
  const claimed = numberAt(block, 148, 8);
  if (claimed !== checksum(block)) return undefined;
  const [mode, size, modifiedS] = [
    numberAt(block, 100, 8),
    numberAt(block, 124, 12),
    numberAt(block, 136, 12),
  ];
  if (size === undefined || size < 0) return undefined;
  const isUstar = textAt(block, 257, 5) === "ustar";
  const isGnu = isUstar && block[262] === 0x20;
  const prefix = isUstar && !isGnu ? textAt(block, PREFIX_AT, PREFIX_BYTES) : "";
  const name = textAt(block, 0, NAME_BYTES);
  const type = block[156] === 0 ? "0" : String.fromCharCode(block[156]!);
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    mode: (mode ?? 0) & 0o7777,
    size,
    modifiedS: modifiedS ?? 0,
    // Before ustar a directory was a file whose name ends with a slash.
    type: type === "0" && !isUstar && name.endsWith("/") ? "5" : type,
    linkName: textAt(block, 157, NAME_BYTES),
  };
}

/** One header, or several where the name is too long for one. */
export function makeTarHeader(file: {
  name: string;
  mode: number;
  size: number;
  modifiedS: number;
}): Uint8Array {
  const name = new TextEncoder().encode(file.name);
  const pax: [string, string][] = [];
  if (name.length > NAME_BYTES) pax.push(["path", file.name]);
  if (file.size > MAX_OCTAL_SIZE) pax.push(["size", String(file.size)]);
  const plain = header(name.subarray(0, NAME_BYTES), file, "0");
  if (pax.length === 0) return plain;
  const records = new TextEncoder().encode(pax.map(paxRecord).join(""));
  const before = header(
    new TextEncoder().encode("PaxHeader"),
    { ...file, size: records.length },
    "x",
  );
  const whole = new Uint8Array(2 * BLOCK_BYTES + padded(records.length));
  whole.set(before);
  whole.set(records, BLOCK_BYTES);
  whole.set(plain, BLOCK_BYTES + padded(records.length));
  return whole;
}

export function padded(size: number): number {
  return Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
}

/** Its length, which counts itself, then the pair. */
function paxRecord([key, value]: [string, string]): string {
  const rest = ` ${key}=${value}\n`;
  const restBytes = new TextEncoder().encode(rest).length;
  let length = restBytes + 1;
  while (String(length).length + restBytes !== length) length++;
  return `${length}${rest}`;
}

/** The pairs of a pax header; undefined where it is not one. */
export function parsePax(bytes: Uint8Array): Map<string, string> | undefined {
  const pairs = new Map<string, string>();
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length && bytes[at] !== 0;) {
    const space = bytes.indexOf(0x20, at);
    const length = space < 0 ? NaN : Number(decoder.decode(bytes.subarray(at, space)));
    if (!Number.isInteger(length) || length <= space - at || at + length > bytes.length) {
      return undefined;
    }
    const pair = decoder.decode(bytes.subarray(space + 1, at + length - 1));
    const equals = pair.indexOf("=");
    if (equals < 0) return undefined;
    pairs.set(pair.slice(0, equals), pair.slice(equals + 1));
    at += length;
  }
  return pairs;
}

function header(
  name: Uint8Array,
  file: { mode: number; size: number; modifiedS: number },
  type: string,
): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES);
  const put = (at: number, text: string) => block.set(new TextEncoder().encode(text), at);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");
  block.set(name, 0);
  put(100, octal(file.mode, 7));
  put(108, octal(0, 7));
  put(116, octal(0, 7));
  put(124, octal(file.size > MAX_OCTAL_SIZE ? 0 : file.size, 11));
  put(136, octal(file.modifiedS, 11));
  put(156, type);
  put(257, "ustar\u000000");
  put(148, `${octal(checksum(block), 6)}\0 `);
  return block;
}

/** The checksum field itself counts as blanks. */
function checksum(block: Uint8Array): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < BLOCK_BYTES; at++) {
    if (at < 148 || at >= 156) sum += block[at]!;
  }
  return sum;
}

function textAt(block: Uint8Array, at: number, length: number): string {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
}

/** Octal digits, or a big-endian number behind a set bit. */
function numberAt(block: Uint8Array, at: number, length: number): number | undefined {
  if ((block[at]! & 0x80) !== 0) {
    let value = 0;
    for (let index = at + 1; index < at + length; index++) value = value * 256 + block[index]!;
    return Number.isSafeInteger(value) ? value : undefined;
  }
  const digits = textAt(block, at, length).trim();
  if (digits === "") return 0;
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : undefined;
}
