// How Connect cuts a stream into messages, both ways: a byte of flags, the length in four bytes, and
// the message. The last one is JSON and says how the call ended.

import { gunzipSync } from "node:zlib";
import { FrameTooLarge } from "../../frame-too-large.ts";

const HEAD_BYTES = 5;
const COMPRESSED = 1;
export const END_OF_STREAM = 2;
/** Far above any update of a reply; a larger length is a lie or somebody else's stream. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** What the buffer starts with; most messages are deltas. */
const INITIAL_BUFFER_BYTES = 16 * 1024;

export function envelope(message: Uint8Array, flags = 0): Uint8Array {
  const framed = new Uint8Array(HEAD_BYTES + message.length);
  framed[0] = flags;
  new DataView(framed.buffer).setUint32(1, message.length);
  framed.set(message, HEAD_BYTES);
  return framed;
}

export interface Envelope {
  isEnd: boolean;
  message: Uint8Array;
}

export class EnvelopeDecoder {
  readonly #onMessage: (envelope: Envelope) => void;
  #buffer = new Uint8Array(INITIAL_BUFFER_BYTES);
  #length = 0;

  constructor(onMessage: (envelope: Envelope) => void) {
    this.#onMessage = onMessage;
  }

  push(bytes: Uint8Array): void {
    this.#append(bytes);
    let at = 0;
    while (this.#length - at >= HEAD_BYTES) {
      const size = new DataView(this.#buffer.buffer).getUint32(at + 1);
      if (size > MAX_MESSAGE_BYTES) throw new FrameTooLarge(`a message claims ${size} bytes`);
      const end = at + HEAD_BYTES + size;
      if (end > this.#length) break;
      const flags = this.#buffer[at]!;
      // A copy: the buffer is written over, and whoever gets the message may keep it.
      this.#tell(flags, this.#buffer.slice(at + HEAD_BYTES, end));
      at = end;
    }
    if (at === 0) return;
    this.#buffer.copyWithin(0, at, this.#length);
    this.#length -= at;
  }

  #tell(flags: number, message: Uint8Array): void {
    const plain = (flags & COMPRESSED) === 0 ? message : unpacked(message);
    this.#onMessage({ isEnd: (flags & END_OF_STREAM) !== 0, message: plain });
  }

  #append(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(needed, this.#buffer.length * 2));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = needed;
  }
}

/** Nobody asked for compression, but gzip is the one that every server of this protocol knows. */
function unpacked(message: Uint8Array): Uint8Array {
  try {
    return gunzipSync(message, { maxOutputLength: MAX_MESSAGE_BYTES });
  } catch (error) {
    throw new SyntaxError("a compressed message cannot be unpacked", { cause: error });
  }
}
