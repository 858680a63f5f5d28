// One line of a session file, to bytes and back. A line is a JSON object whose last key is
// a CRC-32 of everything before it, so that a torn, fused or rotten line is told from a
// good one without trusting JSON to break. Before it stands `$`, the line's place: where
// its parent is, so that opening a session reads its branch and not its file.

import { EntryTooLarge } from "./log-error.ts";

/**
 * A line must fit in memory several times over. Images are kept elsewhere and tool output
 * is bounded, so that only a bug or a hostile file comes near it.
 */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Where a line stands. Offsets are hints: whoever follows one checks what it finds there. */
export interface LinePlace {
  /** The line's number, the header being 1. */
  n: number;
  /** Byte offset of the parent's line; for a `leaf` entry, of the position it moves to. */
  up?: number;
  /** Offset of the nearest entry at or above `up` that is not conversation. */
  state?: number;
  /** Offset of the latest title before this line. */
  title?: number;
  /** Offset of the latest mail before this line, as long as any waits. */
  mail?: number;
  /** The line is number `[0]` of `[1]` that were written as one: all of them count or none. */
  batch?: [number, number];
}

export interface DecodedLine {
  value: Record<string, unknown>;
  place: LinePlace | undefined;
}

export const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const CRC_PREFIX = Buffer.from(`,"crc":"`);
const CRC_SUFFIX = Buffer.from(`"}`);
const CRC_DIGITS = 8;
const CRC_BYTES = CRC_PREFIX.length + CRC_DIGITS + CRC_SUFFIX.length;
const PLACE_KEY = "$";
const CRC_KEY = "crc";

function checksum(bytes: Uint8Array): string {
  return Bun.hash.crc32(bytes).toString(16).padStart(CRC_DIGITS, "0");
}

/** With its line end: what is written in one go. */
export function encodeLine(value: object, place?: LinePlace): Uint8Array {
  if (PLACE_KEY in value || CRC_KEY in value) {
    throw new TypeError(`"${PLACE_KEY}" and "${CRC_KEY}" are the line's own keys`);
  }
  const json = JSON.stringify(value);
  const body = Buffer.from(
    place === undefined
      ? json.slice(0, -1)
      : `${json.slice(0, -1)},"${PLACE_KEY}":${JSON.stringify(place)}`,
  );
  const bytes = body.length + CRC_BYTES + 1;
  if (bytes > MAX_LINE_BYTES) throw new EntryTooLarge(bytes, MAX_LINE_BYTES);
  return Buffer.concat([body, CRC_PREFIX, Buffer.from(`${checksum(body)}"}\n`)], bytes);
}

/** A line converted to CRLF by some other program is the same line. */
function withoutCarriageReturn(line: Uint8Array): Uint8Array {
  return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
}

/** What the checksum covers, or undefined where it does not match. */
export function checkedBody(line: Uint8Array): Uint8Array | undefined {
  const bytes = withoutCarriageReturn(line);
  const end = bytes.length - CRC_BYTES;
  if (end <= 0) return undefined;
  const digits = end + CRC_PREFIX.length;
  if (CRC_PREFIX.compare(bytes, end, digits) !== 0) return undefined;
  if (CRC_SUFFIX.compare(bytes, digits + CRC_DIGITS) !== 0) return undefined;
  const body = bytes.subarray(0, end);
  const written = Buffer.from(bytes.buffer, bytes.byteOffset + digits, CRC_DIGITS);
  return written.toString("latin1") === checksum(body) ? body : undefined;
}

/** `line` without its line end; undefined where it is not exactly what was written. */
export function decodeLine(line: Uint8Array): DecodedLine | undefined {
  const body = checkedBody(line);
  return body === undefined ? undefined : parseBody(body);
}

/** Of a body that its checksum has confirmed; undefined where it never was a line of ours. */
export function parseBody(body: Uint8Array): DecodedLine | undefined {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString("utf8");
  const parsed = parseObject(`${text}}`);
  if (parsed === undefined) return undefined;
  const { [PLACE_KEY]: place, ...value } = parsed;
  return { value, place: isPlace(place) ? place : undefined };
}

/** An object, or undefined: for bytes of which nothing is known. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  return isRecord(value) ? value : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPlace(value: unknown): value is LinePlace {
  return isRecord(value) && Number.isInteger(value.n);
}
