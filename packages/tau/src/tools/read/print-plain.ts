// A text as it is, for people and scripts: every byte of it, or of exactly the lines that were named,
// however long it is and without a word of Tau's own.

import type { FileHandle } from "node:fs/promises";
import { isTerminal } from "../../base/is-terminal.ts";
import { writeBytes } from "../../base/output.ts";
import { isBinary, openPlain } from "../../resources/local-kind.ts";
import type { LineRange } from "../../resources/line-range.ts";
import type { Resource } from "../../resources/resource.ts";
import type { Selector } from "../../resources/selector.ts";
import { visibleOnTerminal } from "../view-files.ts";

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** False for what is not a text, or asks for more than lines. */
export async function printPlain(
  resource: Resource,
  selector: Selector,
  signal: AbortSignal,
): Promise<boolean> {
  if (selector.isConflicts || selector.columns) return false;
  if (resource.type === "text") {
    await print([Buffer.from(resource.text)], selector.ranges);
    return true;
  }
  if (resource.type !== "file") return false;
  await using file = await openPlain(resource.path, resource.shown);
  if (!selector.isRaw && (await isBinary(file))) return false;
  await print(chunksOf(file, signal), selector.ranges);
  return true;
}

async function* chunksOf(file: FileHandle, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    signal.throwIfAborted();
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function print(
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  ranges: readonly LineRange[] | undefined,
): Promise<void> {
  const decoder = isTerminal(1) ? new TextDecoder() : undefined;
  const cutter = ranges && new LineCutter(ranges);
  let last: number | undefined;
  for await (const chunk of chunks) {
    for (const part of cutter ? cutter.cut(chunk) : [chunk]) {
      last = part.at(-1) ?? last;
      // A file must not command the terminal that it is shown on.
      const shown = decoder
        ? Buffer.from(visibleOnTerminal(decoder.decode(part, { stream: true })))
        : part;
      if (!(await writeBytes(shown))) return;
    }
    if (cutter?.isDone) break;
  }
  if (decoder && last !== undefined && last !== NEWLINE) await writeBytes(Buffer.from("\n"));
}

/** Takes lines out of what comes in pieces. */
class LineCutter {
  readonly #ranges: readonly LineRange[];
  #line = 1;
  #range = 0;

  constructor(ranges: readonly LineRange[]) {
    this.#ranges = ranges;
  }

  get isDone(): boolean {
    return this.#range >= this.#ranges.length;
  }

  *cut(chunk: Buffer): Generator<Buffer> {
    for (let from = 0; from < chunk.length && !this.isDone;) {
      const newline = chunk.indexOf(NEWLINE, from);
      const to = newline < 0 ? chunk.length : newline + 1;
      const { first, last = Infinity } = this.#ranges[this.#range]!;
      if (this.#line >= first && this.#line <= last) yield chunk.subarray(from, to);
      if (newline >= 0) this.#line++;
      if (this.#line > last) this.#range++;
      from = to;
    }
  }
}
