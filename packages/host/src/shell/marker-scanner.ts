// Finds where one command's output ends in what a shell prints for many: a line of its own
// cannot be relied upon, a random token can. Bytes are passed on as they come, except those that
// may yet turn out to be the beginning of the token.

export interface MarkerFound {
  /** What the marker carries, between the token and its end. */
  fields: string;
  /** Bytes behind it; they belong to nobody, or to the next command. */
  rest: Buffer;
}

const END = 0x1e;
/** Of what a marker carries: a status and a path. */
const MAX_FIELD_BYTES = 64 * 1024;

export class MarkerScanner {
  readonly #token: Buffer;
  #held: Buffer = Buffer.alloc(0);

  constructor(token: string) {
    this.#token = Buffer.from(token);
  }

  /** Gives on what is output; the marker, once it is complete. */
  push(chunk: Buffer, output: (bytes: Buffer) => void): MarkerFound | undefined {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const at = bytes.indexOf(this.#token);
    if (at >= 0) {
      const fieldsAt = at + this.#token.length;
      const end = bytes.indexOf(END, fieldsAt);
      if (end >= 0) {
        if (at > 0) output(bytes.subarray(0, at));
        this.#held = Buffer.alloc(0);
        return { fields: bytes.toString("utf8", fieldsAt, end), rest: bytes.subarray(end + 1) };
      }
      if (bytes.length - fieldsAt < MAX_FIELD_BYTES) {
        if (at > 0) output(bytes.subarray(0, at));
        this.#held = Buffer.from(bytes.subarray(at));
        return undefined;
      }
    }
    const keep = this.#tailToHold(bytes);
    if (bytes.length > keep) output(bytes.subarray(0, bytes.length - keep));
    this.#held = keep === 0 ? Buffer.alloc(0) : Buffer.from(bytes.subarray(bytes.length - keep));
    return undefined;
  }

  /** The shell is gone: what was held back is output after all. */
  finish(output: (bytes: Buffer) => void): void {
    if (this.#held.length > 0) output(this.#held);
    this.#held = Buffer.alloc(0);
  }

  /** The longest end of the bytes that is a beginning of the token. */
  #tailToHold(bytes: Buffer): number {
    const first = this.#token[0]!;
    const from = Math.max(0, bytes.length - this.#token.length + 1);
    for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
      const length = bytes.length - at;
      if (bytes.compare(this.#token, 0, length, at) === 0) return length;
    }
    return 0;
  }
}
