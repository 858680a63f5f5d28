// Some lines of a file, however large it is: reads what is asked for and no more, never holds
// more than what it gives back, and never waits for something that is no file.

import { open, type FileHandle } from "node:fs/promises";
import { onDisk } from "../walk/byte-path.ts";
import { LineOffsets, type FileIdentity } from "./line-offsets.ts";

export interface WantedLines {
  /** From 1, both included, in order and apart; open at the end where `last` is missing. */
  ranges: readonly { first: number; last?: number }[];
  maxLines: number;
  /** Of all lines together, as they are given. */
  maxBytes: number;
  /** A line that is longer is cut; generated text and data have such lines. */
  maxLineBytes: number;
}

export interface FileLine {
  /** From 1. */
  number: number;
  /** Without its line end. */
  text: string;
  /** Bytes of it that are not here. */
  cutBytes: number;
}

export interface FileLines {
  lines: FileLine[];
  /** Set where the end of the file was met. */
  lineCount?: number;
  /** What was asked for went on; the first line that is missing. */
  nextLine?: number;
}

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export async function readFileLines(
  path: string,
  wanted: WantedLines,
  options: { offsets: LineOffsets; signal: AbortSignal },
): Promise<FileLines> {
  await using file = await open(onDisk(path), "r");
  const { size, mtimeMs, ino } = await file.stat();
  const identity: FileIdentity = { path, size, mtimeMs, ino };
  const taker = new LineTaker(wanted);
  for (const { first, last = Infinity } of wanted.ranges) {
    const place = await options.offsets.find(file, identity, first, options.signal);
    if (place.lineCount !== undefined && first > place.lineCount) {
      return { lines: taker.lines, lineCount: place.lineCount };
    }
    const met = await taker.take(file, place, { first, last, size }, options.signal);
    if (met.lineCount !== undefined) return { lines: taker.lines, lineCount: met.lineCount };
    if (met.nextLine !== undefined) return { lines: taker.lines, nextLine: met.nextLine };
  }
  return { lines: taker.lines };
}

class LineTaker {
  readonly lines: FileLine[] = [];
  readonly #wanted: WantedLines;
  #bytes = 0;

  constructor(wanted: WantedLines) {
    this.#wanted = wanted;
  }

  /** Goes on from `place` to the end of the range, of the file or of what may be given. */
  async take(
    file: FileHandle,
    place: { line: number; offset: number },
    range: { first: number; last: number; size: number },
    signal: AbortSignal,
  ): Promise<{ lineCount?: number; nextLine?: number }> {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let { line, offset } = place;
    // Of the line that is under way: what is kept, and what is not.
    let kept: Buffer[] = [];
    let keptBytes = 0;
    let skipped = 0;
    const keep = (piece: Buffer): void => {
      if (line < range.first) return;
      const room = this.#wanted.maxLineBytes + 1 - keptBytes;
      const part = piece.subarray(0, Math.max(0, room));
      skipped += piece.length - part.length;
      if (part.length === 0) return;
      kept.push(Buffer.from(part));
      keptBytes += part.length;
    };
    const finish = (): boolean => {
      const isTaken = line < range.first || this.#push(line, Buffer.concat(kept), skipped);
      kept = [];
      keptBytes = 0;
      skipped = 0;
      return isTaken;
    };
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(chunk, 0, chunk.length, offset);
      if (bytesRead === 0) break;
      const bytes = chunk.subarray(0, bytesRead);
      let from = 0;
      for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
        keep(bytes.subarray(from, to));
        if (!finish()) return { nextLine: line };
        if (line >= range.last) return {};
        line++;
        from = to + 1;
      }
      keep(bytes.subarray(from));
      offset += bytesRead;
      if (offset >= range.size) break;
    }
    const hasRest = keptBytes > 0 || skipped > 0;
    if (hasRest && !finish()) return { nextLine: line };
    return { lineCount: hasRest ? line : line - 1 };
  }

  /** False where there is no room for it. */
  #push(number: number, bytes: Buffer, skipped: number): boolean {
    const { maxLines, maxBytes, maxLineBytes } = this.#wanted;
    const whole = bytes.at(-1) === CARRIAGE_RETURN && skipped === 0 ? bytes.subarray(0, -1) : bytes;
    const shown =
      whole.length > maxLineBytes ? whole.subarray(0, characterEnd(whole, maxLineBytes)) : whole;
    const isFull = this.lines.length >= maxLines || this.#bytes + shown.length > maxBytes;
    // One line at least: who asks again for the same would get nothing again.
    if (isFull && this.lines.length > 0) return false;
    this.#bytes += shown.length + 1;
    const cutBytes = whole.length - shown.length + skipped;
    this.lines.push({ number, text: shown.toString("utf8"), cutBytes });
    return true;
  }
}

/** The end of the last whole character within so many bytes. */
function characterEnd(bytes: Buffer, most: number): number {
  let end = Math.min(most, bytes.length);
  while (end > 0 && end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--;
  return end;
}
