// Reads `rg --count --null`: a path, a NUL, a number, a line break, again and again. Names
// may hold any byte but NUL, line breaks too, so that only this form is without doubt.

import { bytePath, isByteName, mayBeByteName } from "../walk/byte-path.ts";
import type { CountSink } from "./line-engine.ts";

const NUL = 0;
const LINE_BREAK = 10;
/** No system has longer paths; what is longer is not such output. */
const MAX_RECORD_BYTES = 64 * 1024;

export class CountParser {
  readonly #sink: CountSink;
  #rest: Buffer = Buffer.alloc(0);
  /** Whether anything came at all. */
  sawOutput = false;

  constructor(sink: CountSink) {
    this.#sink = sink;
  }

  push(chunk: Uint8Array): boolean {
    this.sawOutput ||= chunk.length > 0;
    const bytes = this.#rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    for (;;) {
      const nul = bytes.indexOf(NUL, at);
      const end = nul === -1 ? -1 : bytes.indexOf(LINE_BREAK, nul);
      if (end === -1) break;
      this.#record(bytes.subarray(at, nul), Number(bytes.toString("latin1", nul + 1, end)));
      at = end + 1;
    }
    this.#rest = Buffer.from(bytes.subarray(at));
    return this.#rest.length <= MAX_RECORD_BYTES;
  }

  #record(raw: Buffer, count: number): void {
    const path = raw.toString("utf8");
    const isText = !mayBeByteName(path) || !isByteName(bytePath(raw));
    this.#sink.file(path, count, isText ? undefined : Buffer.from(raw));
  }
}
