// Artifacts of a session without a file. The memory they may take is bounded: the oldest ones
// make room, because a model asks again for what it saw last.

import type { ByteSource } from "../log/byte-source.ts";
import { isArtifactId } from "./artifact-name.ts";
import {
  ArtifactMissing,
  tooLarge,
  type ArtifactCreation,
  type ArtifactFailure,
  type ArtifactInfo,
  type ArtifactPart,
  type ArtifactStore,
  type ArtifactWrite,
  type ArtifactWriter,
  type LineRange,
} from "./artifact-store.ts";
import { ChunkEncoder } from "./chunk-encoder.ts";
import { MAX_READ_BYTES, readLines } from "./read-artifact.ts";

/** Of all together: a few hundred large outputs, a small part of a process. */
export const MAX_MEMORY_BYTES = 32 * 1024 * 1024;

interface Kept {
  tool: string;
  chunks: Uint8Array[];
  bytes: number;
}

export class MemoryArtifacts implements ArtifactStore {
  readonly directory = undefined;
  readonly #maxBytes: number;
  readonly #kept = new Map<number, Kept>();
  #next = 0;
  #bytes = 0;

  constructor(options: { maxBytes?: number } = {}) {
    this.#maxBytes = options.maxBytes ?? MAX_MEMORY_BYTES;
  }

  async write(tool: string, content: string | Uint8Array): Promise<ArtifactWrite> {
    const bytes = typeof content === "string" ? Buffer.from(content) : content.slice();
    if (bytes.length > this.#maxBytes) {
      return { ok: false, failure: tooLarge(bytes.length, this.#maxBytes) };
    }
    const id = this.#begin(tool);
    this.#add(id, bytes);
    return { ok: true, id: String(id) };
  }

  async create(tool: string): Promise<ArtifactCreation> {
    const id = this.#begin(tool);
    const encoder = new ChunkEncoder();
    let written = 0;
    let failure: ArtifactFailure | undefined;
    const add = (bytes: Uint8Array): void => {
      const room = this.#maxBytes - written;
      if (bytes.length > room) failure ??= tooLarge(written + bytes.length, this.#maxBytes);
      // A copy: the pipe that it came from uses its memory again.
      const fits = new Uint8Array(bytes.subarray(0, room));
      if (fits.length > 0 && this.#add(id, fits)) written += fits.length;
    };
    const finish: ArtifactWriter["close"] = async () => {
      add(encoder.end());
      const kept = this.#kept.get(id)?.bytes ?? 0;
      return { id: String(id), bytes: kept, failure };
    };
    const writer: ArtifactWriter = {
      id: String(id),
      append: async (chunk) => add(encoder.encode(chunk)),
      close: finish,
      [Symbol.asyncDispose]: async () => void (await finish()),
    };
    return { ok: true, writer };
  }

  async list(): Promise<ArtifactInfo[]> {
    return [...this.#kept].map(([id, { tool, bytes }]) => ({ id: String(id), tool, bytes }));
  }

  async read(id: string, range?: LineRange): Promise<ArtifactPart> {
    const whole = this.#whole(id);
    return readLines(sourceOf(whole), whole.length, range);
  }

  async readBytes(id: string, start: number, length: number): Promise<Uint8Array> {
    return this.#whole(id).subarray(start, start + Math.min(length, MAX_READ_BYTES));
  }

  #begin(tool: string): number {
    const id = this.#next;
    this.#next += 1;
    this.#kept.set(id, { tool, chunks: [], bytes: 0 });
    return id;
  }

  /** False where the artifact itself had to make room before. */
  #add(id: number, bytes: Uint8Array): boolean {
    const kept = this.#kept.get(id);
    if (!kept) return false;
    kept.chunks.push(bytes);
    kept.bytes += bytes.length;
    this.#bytes += bytes.length;
    for (const [oldest, { bytes: freed }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break;
      if (oldest === id) continue;
      this.#kept.delete(oldest);
      this.#bytes -= freed;
    }
    return true;
  }

  #whole(id: string): Uint8Array {
    const kept = isArtifactId(id) ? this.#kept.get(Number(id)) : undefined;
    if (!kept) throw new ArtifactMissing(id, [...this.#kept.keys()].map(String));
    if (kept.chunks.length > 1) kept.chunks = [Buffer.concat(kept.chunks)];
    return kept.chunks[0] ?? new Uint8Array();
  }
}

function sourceOf(bytes: Uint8Array): ByteSource {
  return { read: async (start, length) => bytes.subarray(start, start + length) };
}
