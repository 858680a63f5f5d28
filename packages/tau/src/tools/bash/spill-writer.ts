// Writes a flood of small pieces to an artifact in few large ones, and goes on taking pieces while the
// disk has the ones before. A program is held up only when the disk is slower than it.

import type {
  ArtifactStore,
  ArtifactWriter,
  FinishedArtifact,
} from "../../session/artifacts/artifact-store.ts";

/** A write's own cost is small against this many bytes; two of them are in memory. */
const BATCH_BYTES = 1024 * 1024;

export class SpillWriter {
  readonly #opening: Promise<ArtifactWriter | undefined>;
  #batch: Buffer = Buffer.allocUnsafe(BATCH_BYTES);
  #spare: Buffer | undefined;
  #filled = 0;
  #writing: Promise<void> = Promise.resolve();

  /** A full disk costs the whole output, not the command. */
  constructor(artifacts: Promise<ArtifactStore>, tool: string) {
    this.#opening = artifacts
      .then((store) => store.create(tool))
      .then((created) => (created.ok ? created.writer : undefined));
    // Its failure is told where it is awaited.
    this.#opening.catch(() => {});
  }

  /** The bytes are the caller's again at once; a promise where the disk has to catch up. */
  push(bytes: Uint8Array): void | Promise<void> {
    const room = BATCH_BYTES - this.#filled;
    if (bytes.length <= room) {
      this.#batch.set(bytes, this.#filled);
      this.#filled += bytes.length;
      return undefined;
    }
    // A piece that does not fit is rare: it is copied, and goes in parts.
    return this.#pushInParts(Buffer.from(bytes));
  }

  /** The artifact, where there is one; a full disk may have left it with the beginning only. */
  async close(): Promise<FinishedArtifact | undefined> {
    await this.#flush();
    await this.#writing;
    const writer = await this.#opening;
    return writer?.close();
  }

  async #pushInParts(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length;) {
      const part = bytes.subarray(from, from + BATCH_BYTES - this.#filled);
      this.#batch.set(part, this.#filled);
      this.#filled += part.length;
      from += part.length;
      if (this.#filled === BATCH_BYTES) await this.#flush();
    }
  }

  /** Waits for the batch before this one only. */
  async #flush(): Promise<void> {
    await this.#writing;
    const batch = this.#batch;
    const bytes = batch.subarray(0, this.#filled);
    this.#batch = this.#spare ?? Buffer.allocUnsafe(BATCH_BYTES);
    this.#spare = undefined;
    this.#filled = 0;
    this.#writing = this.#opening.then(async (writer) => {
      await writer?.append(bytes);
      this.#spare = batch;
    });
    this.#writing.catch(() => {});
  }
}
