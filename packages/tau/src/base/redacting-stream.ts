// Hides secrets in the output of programs, which comes in bytes.

import { RedactingText } from "./redacting-text.ts";
import type { Redactor } from "./redactor.ts";

export class RedactingStream {
  readonly #text: RedactingText;
  readonly #decoder = new TextDecoder();

  constructor(redactor: Redactor) {
    this.#text = new RedactingText(redactor);
  }

  /** What can be shown and kept by now. */
  push(bytes: Uint8Array): Buffer {
    return Buffer.from(this.#text.push(this.#decoder.decode(bytes, { stream: true })));
  }

  end(): Buffer {
    return Buffer.from(this.#text.push(this.#decoder.decode()) + this.#text.end());
  }
}
