// The bytes of a tar, packed or not, as a stream that is read in the pieces its reader wants.
// At most a chunk is in memory, and the stream ends with a typed error at its bound.

import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { attempt, StorageError, systemCode } from "../storage-error.ts";
import { ArchiveError, corruptArchive } from "./archive-error.ts";
import { MAX_TAR_BYTES } from "./archive-limits.ts";

const CHUNK_BYTES = 256 * 1024;
const GZIP_MAGIC = [0x1f, 0x8b];

export interface TarSourceOptions {
  signal: AbortSignal;
  /** Unpacked. */
  maxBytes?: number;
}

export class TarSource implements AsyncDisposable {
  readonly path: string;
  /** By its content: a file may be named .tgz and be no gzip, and the other way around. */
  readonly isPacked: boolean;
  readonly #streams: Readable[];
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #options: TarSourceOptions;
  #rest: Buffer = Buffer.alloc(0);
  #total = 0;

  private constructor(
    path: string,
    isPacked: boolean,
    streams: Readable[],
    options: TarSourceOptions,
  ) {
    this.path = path;
    this.isPacked = isPacked;
    this.#streams = streams;
    this.#chunks = streams.at(-1)![Symbol.asyncIterator]();
    this.#options = options;
  }

  static async open(path: string, options: TarSourceOptions): Promise<TarSource> {
    const isPacked = await isGzip(path);
    const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
    if (!isPacked) return new TarSource(path, false, [file], options);
    const { createGunzip } = await import("node:zlib");
    const unpacked = createGunzip({ chunkSize: CHUNK_BYTES });
    file.on("error", (error) => unpacked.destroy(error));
    return new TarSource(path, true, [file, file.pipe(unpacked)], options);
  }

  /** As many bytes as asked for, fewer only at the end. */
  async read(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let missing = length;
    for await (const piece of this.pieces(length)) {
      pieces.push(piece);
      missing -= piece.length;
    }
    return pieces.length === 1 && missing === 0 ? pieces[0]! : Buffer.concat(pieces);
  }

  /** The same, piece by piece as they come. */
  async *pieces(length: number): AsyncGenerator<Buffer> {
    for (let missing = length; missing > 0;) {
      if (this.#rest.length === 0 && !(await this.#fill())) return;
      const piece = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(piece.length);
      missing -= piece.length;
      yield piece;
    }
  }

  async skip(length: number): Promise<void> {
    let left = length;
    for await (const piece of this.pieces(length)) left -= piece.length;
    if (left > 0) throw corruptArchive(this.path, "it ends before its members do");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const stream of this.#streams) stream.destroy();
  }

  async #fill(): Promise<boolean> {
    this.#options.signal.throwIfAborted();
    const next = await this.#next();
    if (next.done) return false;
    this.#rest = next.value;
    this.#total += next.value.length;
    const { maxBytes = MAX_TAR_BYTES } = this.#options;
    if (this.#total <= maxBytes) return true;
    throw new ArchiveError(
      "too_large",
      `${this.path} unpacks to more than ${maxBytes} bytes, which is not read here: use the tar command instead.`,
    );
  }

  async #next(): Promise<IteratorResult<Buffer, undefined>> {
    try {
      return await this.#chunks.next();
    } catch (error) {
      const code = systemCode(error);
      if (code === undefined || code.startsWith("ERR_")) throw error;
      // Codes of the decompressor are Z_DATA_ERROR, Z_BUF_ERROR, …
      if (code.startsWith("Z_")) throw corruptArchive(this.path, "it cannot be unpacked", error);
      throw new StorageError({ code, path: this.path, operation: "read", cause: error });
    }
  }
}

function isGzip(path: string): Promise<boolean> {
  return attempt("open", path, async () => {
    await using file = await open(path, "r");
    const found = await file.stat();
    if (!found.isFile()) {
      const code = found.isDirectory() ? "EISDIR" : "EINVAL";
      throw new StorageError({ code, path, operation: "open" });
    }
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === GZIP_MAGIC[0] && buffer[1] === GZIP_MAGIC[1];
  });
}
