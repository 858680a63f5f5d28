// Where a shell's output comes from. Programs expect a pipe: what the runtime gives for one is a
// socket, which cannot be opened again as /dev/stdout and is half as fast. A real one is read only
// while a command runs, so that an idle shell keeps nobody from leaving.

import { closeSync, readSync } from "node:fs";
import { openPipe, type Pipe } from "./open-pipe.ts";

/** Whether there is to be more; a promise holds the program up. */
export type TakeOutput = (bytes: Buffer) => boolean | Promise<boolean>;

export interface OutputSource {
  /** For the program. */
  readonly writeEnd: number | "pipe";
  /** The program has it now. `stream` is what the runtime made of "pipe". */
  started(stream: ReadableStream<Uint8Array> | undefined): void;
  /**
   * One listener at a time. Resolves when it wants no more, or when it is stopped; to true at the
   * end of all output. What came while nobody listened belongs to nobody.
   */
  listen(take: TakeOutput): Promise<boolean>;
  stop(): Promise<void>;
  close(): void;
}

/** A private directory for the moment of opening. */
export function openOutputSource(directory: string): OutputSource {
  const pipe = process.platform === "win32" ? undefined : openPipe(directory);
  return pipe ? new PipeSource(pipe) : new StreamSource();
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

class PipeSource implements OutputSource {
  readonly writeEnd: number;
  readonly #readEnd: number;
  #reader: Reader | undefined;
  #reading: Promise<boolean> = Promise.resolve(false);
  #isWriteEndOpen = true;
  #isStopped = false;
  #isClosed = false;

  constructor({ readEnd, writeEnd }: Pipe) {
    this.#readEnd = readEnd;
    this.writeEnd = writeEnd;
  }

  /** Ours would keep the end of output from ever being seen. */
  started(): void {
    if (this.#isWriteEndOpen) closeSync(this.writeEnd);
    this.#isWriteEndOpen = false;
  }

  listen(take: TakeOutput): Promise<boolean> {
    this.#reading = this.#read(take);
    return this.#reading;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#reader?.cancel();
    // A failure was told to whoever listened.
    await this.#reading.catch(() => undefined);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.started();
    void this.stop().then(() => closeSync(this.#readEnd));
  }

  async #read(take: TakeOutput): Promise<boolean> {
    this.#discard();
    this.#isStopped = false;
    const reader = Bun.file(this.#readEnd).stream().getReader() as Reader;
    this.#reader = reader;
    try {
      const isEnd = await pump(reader, take);
      return isEnd && !this.#isStopped;
    } finally {
      this.#reader = undefined;
      await reader.cancel();
    }
  }

  #discard(): void {
    const bytes = Buffer.allocUnsafe(DISCARD_BYTES);
    try {
      while (readSync(this.#readEnd, bytes) > 0);
    } catch (error) {
      if ((error as { code?: unknown }).code !== "EAGAIN") throw error;
    }
  }
}

/** What a pipe holds. */
const DISCARD_BYTES = 64 * 1024;

/** What the runtime gives, where no pipe is to be had. */
export class StreamSource implements OutputSource {
  readonly writeEnd = "pipe";
  #take: TakeOutput | undefined;
  #settle: (isEnd: boolean) => void = () => {};
  #hasEnded = false;

  started(stream: ReadableStream<Uint8Array> | undefined): void {
    if (stream) void this.#read(stream.getReader() as Reader);
  }

  listen(take: TakeOutput): Promise<boolean> {
    if (this.#hasEnded) return Promise.resolve(true);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#take = take;
    this.#settle = resolve;
    return promise;
  }

  async stop(): Promise<void> {
    this.#take = undefined;
    this.#settle(false);
  }

  close(): void {
    void this.stop();
  }

  async #read(reader: Reader): Promise<void> {
    await pump(reader, async (bytes) => {
      if (this.#take && !(await this.#take(bytes))) await this.stop();
      return true;
    });
    this.#hasEnded = true;
    this.#settle(true);
  }
}

/** To true where it came to the end. */
async function pump(reader: Reader, take: TakeOutput): Promise<boolean> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done || !value) return true;
    const more = take(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
    if (!(typeof more === "boolean" ? more : await more)) return false;
  }
}
