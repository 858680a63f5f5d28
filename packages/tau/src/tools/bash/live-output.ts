// What a program prints, for whoever watches it run: plain text, at once where it comes now and then,
// and a few times a second the latest of it where it floods. Only what is shown is decoded.

import { PlainStream } from "@tau/host/text/plain-stream";

/** Faster than this nobody reads. */
const INTERVAL_MS = 50;
/** Of one interval: more than any screen shows. */
const MAX_BYTES = 16 * 1024;
const NEW_LINE = 0x0a;

export class LiveOutput {
  readonly #show: (text: string) => void;
  #plain = new PlainStream();
  #pieces: Buffer[] = [];
  #bytes = 0;
  #skipped = 0;
  #shownAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  /** The bytes are ours for the call only. */
  push(bytes: Buffer): void {
    const kept = bytes.length > MAX_BYTES ? bytes.subarray(bytes.length - MAX_BYTES) : bytes;
    this.#skipped += bytes.length - kept.length;
    this.#pieces.push(Buffer.from(kept));
    this.#bytes += kept.length;
    while (this.#bytes - this.#pieces[0]!.length >= MAX_BYTES) {
      const { length } = this.#pieces.shift()!;
      this.#bytes -= length;
      this.#skipped += length;
    }
    if (this.#timer !== undefined) return;
    const wait = this.#shownAt + INTERVAL_MS - performance.now();
    if (wait <= 0) this.#flush();
    else {
      this.#timer = setTimeout(() => this.#flush(), wait);
      this.#timer.unref();
    }
  }

  /** The rest at once. */
  end(): void {
    this.#flush();
    this.#tell(this.#plain.end());
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#shownAt = performance.now();
    const bytes = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    if (this.#skipped === 0) {
      this.#tell(this.#plain.push(bytes));
      return;
    }
    // Behind a gap nothing is known of what began before it: it goes on with a line.
    const from = bytes.indexOf(NEW_LINE) + 1;
    const skipped = this.#skipped + from;
    this.#skipped = 0;
    this.#plain = new PlainStream();
    this.#tell(`\n[… ${skipped} bytes not shown …]\n${this.#plain.push(bytes.subarray(from))}`);
  }

  #tell(text: string): void {
    if (text !== "") this.#show(text);
  }
}
