// Paths that are not UTF-8, as strings. Each byte that is part of no character is kept as one code
// point of a private plane (0xE9 as U+10F7E9), so that such a path can be joined, compared, judged and
// logged like every other; `onDisk` gives the bytes back to the system. Equal bytes are equal strings:
// a name that really has such code points has their bytes kept, one by one. Lone surrogates would not
// do: Bun's `node:path` replaces them.

import { realpath } from "node:fs/promises";

/** What a decoder puts in place of a byte that it cannot read. */
export const REPLACEMENT = "\ufffd";
/** A kept byte is this code point more. */
const KEPT_BASE = 0x10f700;
/** The first half of them all in UTF-16, for a quick look. */
const KEPT_HALF = "\udbfd";
/** Bytes below 0x80 are text, so that no dot, slash or letter can hide; for the dollar see below. */
const KEPT_BYTE = /([\u{10f724}\u{10f780}-\u{10f7ff}])/u;
/**
 * A part in the form of bash's `$'…'`, told by an escape in it. As a name of the system it is kept
 * with its dollar as a byte, so that it is never read as the form (`byte-name.ts`).
 */
export const BASH_FORM = /^\$'(?=.*\\)((?:[^'\\]|\\.)*)'$/s;
const BASH_SIGN = "$'";
const DOLLAR = String.fromCodePoint(KEPT_BASE + 0x24);

/** Whether some part of it is not text, or must be told from what is. */
export function isByteName(path: string): boolean {
  return path.includes(KEPT_HALF) && KEPT_BYTE.test(path);
}

/** The path as file system calls must be given it. */
export function onDisk(path: string): string | Buffer {
  return isByteName(path) ? pathBytes(path) : path;
}

export function pathBytes(path: string): Buffer {
  if (!path.includes(KEPT_HALF)) return Buffer.from(path);
  const pieces = path.split(KEPT_BYTE);
  return Buffer.concat(
    pieces.map((piece, at) =>
      at % 2 === 0 ? Buffer.from(piece) : Buffer.of(piece.codePointAt(0)! - KEPT_BASE),
    ),
  );
}

export function bytePath(bytes: Buffer): string {
  const text = bytes.toString();
  const path = isText(bytes, text) ? text : keepBytes(bytes);
  if (!path.includes(BASH_SIGN)) return path;
  const parts = path.split("/");
  return parts.map((part) => (BASH_FORM.test(part) ? DOLLAR + part.slice(1) : part)).join("/");
}

/** Whether a name that the system gave as text has to be asked for as bytes. */
export function mayBeByteName(name: string): boolean {
  return name.includes(REPLACEMENT) || name.includes(KEPT_HALF) || name.includes(BASH_SIGN);
}

/** With links followed, also into places whose names are not UTF-8. */
export async function realBytePath(path: string): Promise<string> {
  const found = await realpath(onDisk(path));
  if (!mayBeByteName(found)) return found;
  return bytePath(await realpath(onDisk(path), { encoding: "buffer" }));
}

function keepBytes(bytes: Buffer): string {
  let path = "";
  for (let at = 0; at < bytes.length;) {
    const length = characterAt(bytes, at);
    path +=
      length === 0
        ? String.fromCodePoint(KEPT_BASE + bytes[at]!)
        : bytes.toString("utf8", at, at + length);
    at += Math.max(length, 1);
  }
  return path;
}

function isText(bytes: Buffer, text = bytes.toString()): boolean {
  if (isByteName(text)) return false;
  return !text.includes(REPLACEMENT) || Buffer.from(text).equals(bytes);
}

/** How many bytes the character here has; 0 if they are none. */
function characterAt(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const piece = bytes.subarray(at, at + length);
  return length > 0 && piece.length === length && isText(piece) ? length : 0;
}
