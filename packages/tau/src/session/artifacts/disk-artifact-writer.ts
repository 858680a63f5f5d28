// Writes an output to its file while it comes. A disk that refuses ends the keeping, not the
// tool: what is there stays readable, and the end says what is missing.

import type { AppendFile } from "@tau/host/append-file";
import { StorageError } from "@tau/host/storage-error";
import {
  tooLarge,
  type ArtifactFailure,
  type ArtifactWriter,
  type FinishedArtifact,
} from "./artifact-store.ts";
import { ChunkEncoder } from "./chunk-encoder.ts";

const APPEND = { point: "artifact.append" };
const SYNC = { point: "artifact.sync" };

export class DiskArtifactWriter implements ArtifactWriter {
  readonly id: string;
  readonly #file: AppendFile;
  readonly #maxBytes: number;
  readonly #encoder = new ChunkEncoder();
  #bytes = 0;
  #failure: ArtifactFailure | undefined;
  #closing: Promise<FinishedArtifact> | undefined;

  constructor(id: string, file: AppendFile, maxBytes: number) {
    this.id = id;
    this.#file = file;
    this.#maxBytes = maxBytes;
  }

  append(chunk: string | Uint8Array): Promise<void> {
    return this.#closing ? Promise.resolve() : this.#add(this.#encoder.encode(chunk));
  }

  close(): Promise<FinishedArtifact> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #add(bytes: Uint8Array): Promise<void> {
    if (this.#failure || bytes.length === 0) return;
    const total = this.#bytes + bytes.length;
    const fits = total > this.#maxBytes ? bytes.subarray(0, this.#maxBytes - this.#bytes) : bytes;
    if (fits.length < bytes.length) this.#failure = tooLarge(total, this.#maxBytes);
    this.#bytes += fits.length;
    try {
      await this.#file.append(fits, APPEND);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      this.#failure ??= { kind: "disk", message: error.message };
      this.#bytes -= fits.length - error.written;
    }
  }

  async #finish(): Promise<FinishedArtifact> {
    await this.#add(this.#encoder.end());
    try {
      await this.#file.sync(SYNC);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      this.#failure ??= { kind: "disk", message: error.message };
    } finally {
      await this.#file.close();
    }
    const { id } = this;
    const bytes = this.#bytes;
    return this.#failure ? { id, bytes, failure: this.#failure } : { id, bytes };
  }
}
