// The way out of a JavaScript kernel: what is printed is written at once, so that it is read in
// order; what is displayed goes over the channel, with a marker where it belongs.

import { writeSync } from "node:fs";
import { Console } from "node:console";
import { Writable } from "node:stream";
import type { MimeBundle } from "../kernel-frame.ts";

/** Of what one cell may display: more than anybody looks at, less than memory. */
const MAX_DISPLAY_BYTES = 32 * 1024 * 1024;
/** Of the notes that helpers leave of what they did. */
const MAX_STATUS_EVENTS = 200;
const STDOUT = 1;

export class CellOutput {
  readonly #send: (message: object) => void;
  readonly #token: string;
  #displays = 0;
  #displayed = 0;
  #statuses = 0;

  constructor(send: (message: object) => void, token: string) {
    this.#send = send;
    this.#token = token;
  }

  newCell(): void {
    this.#displayed = 0;
    this.#statuses = 0;
  }

  display(bundle: MimeBundle): void {
    for (const value of Object.values(bundle)) {
      this.#displayed += typeof value === "string" ? value.length : 1000;
    }
    const isTooMuch = this.#displayed > MAX_DISPLAY_BYTES;
    const number = ++this.#displays;
    this.#send({
      type: "display",
      number,
      bundle: isTooMuch
        ? { "text/plain": "[not shown: this cell has displayed too much already]" }
        : bundle,
    });
    this.mark(`display ${number}`);
  }

  status(op: string, fields: object): void {
    this.#statuses += 1;
    if (this.#statuses <= MAX_STATUS_EVENTS) {
      this.#send({ type: "status", event: { ...fields, op } });
    }
  }

  /** Says in the output stream: up to here. False where the stream is closed. */
  mark(fields: string): boolean {
    try {
      writeAll(`\u001e${this.#token} ${fields}\u001e`);
      return true;
    } catch (error) {
      if (typeof (error as { code?: unknown }).code !== "string") throw error;
      return false;
    }
  }
}

/** Everything that prints goes one way: the console and both streams of the process. */
export function redirectPrinting(): void {
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      writeAll(chunk);
      done();
    },
  });
  const inspectOptions = { depth: 4, maxArrayLength: 200, maxStringLength: 100_000 };
  const console = new Console({
    stdout: stream,
    stderr: stream,
    colorMode: false,
    inspectOptions,
  });
  for (const [name, method] of Object.entries(console) as [string, unknown][]) {
    if (typeof method === "function") {
      Object.defineProperty(globalThis.console, name, {
        value: method.bind(console) as unknown,
        writable: true,
        configurable: true,
      });
    }
  }
  type Write = typeof process.stdout.write;
  const write = ((text: string | Uint8Array, ...rest: unknown[]) => {
    writeAll(text);
    const after = rest.find((value) => typeof value === "function");
    if (after) queueMicrotask(after as () => void);
    return true;
  }) as Write;
  for (const target of [process.stdout, process.stderr]) {
    Object.defineProperty(target, "write", { value: write, writable: true, configurable: true });
  }
}

function writeAll(text: string | Uint8Array): void {
  let bytes = typeof text === "string" ? Buffer.from(text) : text;
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(STDOUT, bytes));
    } catch (error) {
      if ((error as { code?: unknown }).code !== "EAGAIN") throw error;
      // The reader is behind.
      Bun.sleepSync(1);
    }
  }
}
