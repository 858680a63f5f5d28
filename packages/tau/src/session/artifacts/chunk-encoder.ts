// Text that comes in pieces, to bytes: a character whose two halves are in two pieces must not
// become two broken ones.

export class ChunkEncoder {
  #half = "";

  encode(chunk: string | Uint8Array): Uint8Array {
    if (typeof chunk !== "string") {
      const before = this.end();
      return before.length === 0 ? chunk : Buffer.concat([before, chunk]);
    }
    let text = this.#half + chunk;
    this.#half = "";
    const last = text.charCodeAt(text.length - 1);
    if (last >= 0xd800 && last <= 0xdbff) {
      this.#half = text.slice(-1);
      text = text.slice(0, -1);
    }
    return Buffer.from(text);
  }

  /** What is left of a character that was never completed. */
  end(): Uint8Array {
    const rest = Buffer.from(this.#half);
    this.#half = "";
    return rest;
  }
}
