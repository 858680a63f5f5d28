// Cuts a file into lines: forwards for a whole reading, backwards for its end, or one line
// at a known offset. Memory is bounded by the longest line allowed, whatever the file
// holds: of a longer one only its extent is reported.

import type { ByteSource } from "./byte-source.ts";
import { MAX_LINE_BYTES, NEWLINE } from "./line.ts";

export interface RawLine {
  start: number;
  /** Behind the line end. */
  end: number;
  /** Without the line end; undefined where the line is too long to be one of ours. */
  bytes: Uint8Array | undefined;
  /** Whether a line end follows: the last line of a torn file has none. */
  ended: boolean;
}

/** Nothing was lost in a blank line. */
export function isBlank({ bytes }: RawLine): boolean {
  return bytes !== undefined && bytes.every((byte) => byte === 0x0d || byte === 0x20);
}

/** Large enough that a whole reading is fast, small enough not to matter. */
const FORWARD_CHUNK_BYTES = 1024 * 1024;

export async function* linesForward(
  source: ByteSource,
  from: number,
  to: number,
): AsyncGenerator<RawLine> {
  let start = from;
  let parts: Uint8Array[] = [];
  let held = 0;
  for (let at = from; at < to;) {
    const chunk = await source.read(at, Math.min(FORWARD_CHUNK_BYTES, to - at));
    if (chunk.length === 0) break;
    let begin = 0;
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, begin);
      const piece = chunk.subarray(begin, newline < 0 ? chunk.length : newline);
      held += piece.length;
      if (held <= MAX_LINE_BYTES) parts.push(piece);
      else parts = [];
      if (newline < 0) break;
      const end = at + newline + 1;
      yield { start, end, bytes: joined(parts, held), ended: true };
      parts = [];
      held = 0;
      start = end;
      begin = newline + 1;
    }
    at += chunk.length;
  }
  if (held > 0) yield { start, end: start + held, bytes: joined(parts, held), ended: false };
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array | undefined {
  if (length > MAX_LINE_BYTES) return undefined;
  return parts.length === 1 ? parts[0] : Buffer.concat(parts, length);
}

/** The end of a session is mostly short lines; longer ones double what is read next. */
const FIRST_BACKWARD_CHUNK_BYTES = 16 * 1024;
const LAST_BACKWARD_CHUNK_BYTES = 1024 * 1024;

/** From the end of the file back to `from`. Yields first what follows the last line end. */
export async function* linesBackward(
  source: ByteSource,
  from: number,
  to: number,
): AsyncGenerator<RawLine> {
  let end = to;
  let ended = false;
  // Pieces of the line that ends at `end`, in file order, and where they begin.
  let parts: Uint8Array[] = [];
  let held = 0;
  let step = FIRST_BACKWARD_CHUNK_BYTES;
  for (let at = to; at > from;) {
    const length = Math.min(step, at - from);
    step = Math.min(step * 2, LAST_BACKWARD_CHUNK_BYTES);
    at -= length;
    const chunk = await source.read(at, length);
    let stop = chunk.length;
    for (;;) {
      const newline = stop === 0 ? -1 : chunk.lastIndexOf(NEWLINE, stop - 1);
      const piece = chunk.subarray(newline + 1, stop);
      held += piece.length;
      if (held <= MAX_LINE_BYTES) parts.unshift(piece);
      else parts = [];
      if (newline < 0) break;
      const start = at + newline + 1;
      if (ended || held > 0) yield { start, end, bytes: joined(parts, held), ended };
      parts = [];
      held = 0;
      ended = true;
      end = start;
      stop = newline;
    }
  }
  if (ended || held > 0) yield { start: from, end, bytes: joined(parts, held), ended };
}

/** A parent mostly stands shortly before its child, so the reading is behind the offset. */
const WINDOW_BEHIND_BYTES = 96 * 1024;
const WINDOW_AHEAD_BYTES = 32 * 1024;

interface Window {
  start: number;
  bytes: Uint8Array;
}

/** Single lines by offset, with the last stretch of the file kept at hand. */
export class LineWindow {
  readonly #source: ByteSource;
  #window: Window = { start: 0, bytes: new Uint8Array() };

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** The line that begins at `offset` and ends at a line end or at `limit`. */
  async at(offset: number, limit: number): Promise<Uint8Array | undefined> {
    if (!Number.isInteger(offset) || offset < 0 || offset >= limit) return undefined;
    let window = this.#window;
    if (offset < window.start || offset >= window.start + window.bytes.length) {
      const start = Math.max(0, offset - WINDOW_BEHIND_BYTES);
      const length = Math.min(limit, offset + WINDOW_AHEAD_BYTES) - start;
      window = { start, bytes: await this.#source.read(start, length) };
      this.#window = window;
    }
    let grow = WINDOW_AHEAD_BYTES;
    for (;;) {
      const begin = offset - window.start;
      const newline = window.bytes.indexOf(NEWLINE, begin);
      if (newline >= 0) return window.bytes.subarray(begin, newline);
      // A window from before the file grew ends where the file ended then.
      const next = window.start + window.bytes.length;
      if (next >= limit) return window.bytes.subarray(begin, limit - window.start);
      if (next - offset > MAX_LINE_BYTES) return undefined;
      grow *= 2;
      const more = await this.#source.read(next, Math.min(grow, limit - next));
      if (more.length === 0) return undefined;
      // What lies before the line is not needed again where the line alone is this long.
      window = { start: offset, bytes: Buffer.concat([window.bytes.subarray(begin), more]) };
      this.#window = window;
    }
  }
}
