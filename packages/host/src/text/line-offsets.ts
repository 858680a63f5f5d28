// Where lines begin in a file that is too large to be loaded: every so many lines an offset is
// remembered, so that a place once found is found again at once. What is remembered is small,
// and only as good as the file is the same.

import { readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";

/** Lines between two remembered offsets: 8 bytes for some 100 KB of text. */
const STRIDE = 1024;
/** Read at once while counting. */
const CHUNK_BYTES = 1024 * 1024;
/** As long as a frame on the screen. */
const MAX_HOLD_MS = 16;
const NEWLINE = 0x0a;
/** Files whose offsets are kept; a session seldom works on more huge files than this. */
const MAX_FILES = 8;

export interface LinePlace {
  /** From 1. */
  line: number;
  /** Where that line begins. */
  offset: number;
}

export interface FileIdentity {
  path: string;
  size: number;
  mtimeMs: number;
  ino: number;
}

interface Known {
  key: string;
  /** The offset of line `1 + n * STRIDE`. */
  offsets: number[];
  /** As far as lines have been counted: the beginning of a line. */
  end: LinePlace;
  /** Set when the whole file has been counted. */
  lineCount?: number;
}

export class LineOffsets {
  readonly #files = new Map<string, Known>();

  /**
   * Where `line` begins, or where the last line begins and how many there are, if there are
   * fewer. Stops with the signal.
   */
  async find(
    file: FileHandle,
    identity: FileIdentity,
    line: number,
    signal: AbortSignal,
  ): Promise<LinePlace & { lineCount?: number }> {
    const known = this.#of(identity);
    if (known.end.line < line && known.lineCount === undefined) {
      await count(file, identity.size, known, line, signal);
    }
    if (known.lineCount !== undefined && line > known.lineCount) {
      return { ...nearest(known, known.lineCount), lineCount: known.lineCount };
    }
    const near = nearest(known, line);
    return known.lineCount === undefined ? near : { ...near, lineCount: known.lineCount };
  }

  #of(identity: FileIdentity): Known {
    const { path, size, mtimeMs, ino } = identity;
    const key = `${ino}:${size}:${mtimeMs}`;
    let known = this.#files.get(path);
    if (known?.key !== key) known = { key, offsets: [0], end: { line: 1, offset: 0 } };
    // Newest last, so that the one that was not asked for longest goes first.
    this.#files.delete(path);
    this.#files.set(path, known);
    const [oldest] = this.#files.keys();
    if (this.#files.size > MAX_FILES) this.#files.delete(oldest!);
    return known;
  }
}

/** The remembered place at or before a line. */
function nearest({ offsets, end }: Known, line: number): LinePlace {
  if (line >= end.line) return end;
  const at = Math.min(Math.floor((line - 1) / STRIDE), offsets.length - 1);
  return { line: 1 + at * STRIDE, offset: offsets[at]! };
}

/** Counts on from where counting stopped, until the line is passed or the file ends. */
async function count(
  file: FileHandle,
  size: number,
  known: Known,
  line: number,
  signal: AbortSignal,
): Promise<void> {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, size)));
  let { line: at, offset: lineStart } = known.end;
  let position = lineStart;
  let rested = performance.now();
  while (at < line) {
    // The page cache is faster than a thread's round trip; others get their turn in between.
    const bytesRead = readSync(file.fd, chunk, 0, chunk.length, position);
    const bytes = bytesRead === chunk.length ? chunk : chunk.subarray(0, bytesRead);
    for (let newline = bytes.indexOf(NEWLINE); newline >= 0;) {
      at++;
      lineStart = position + newline + 1;
      if ((at - 1) % STRIDE === 0) known.offsets[(at - 1) / STRIDE] = lineStart;
      newline = bytes.indexOf(NEWLINE, newline + 1);
    }
    position += bytesRead;
    known.end = { line: at, offset: lineStart };
    if (bytesRead === 0 || position >= size) {
      // A line end at the end of the file begins no further line.
      known.lineCount = lineStart >= position ? at - 1 : at;
      return;
    }
    if (performance.now() - rested > MAX_HOLD_MS) {
      await Bun.sleep(0);
      signal.throwIfAborted();
      rested = performance.now();
    }
  }
}
