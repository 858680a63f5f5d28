// Amazon's binary framing, both ways. A message is: its length, the length of its headers,
// a checksum of these two, the headers, the payload, and a checksum of all before it.

import { crc32 } from "./crc32.ts";
import { FrameTooLarge } from "./frame-too-large.ts";
import type { Frame } from "./wire.ts";

const PRELUDE_BYTES = 12;
const CRC_BYTES = 4;
/** Amazon's own limits: 16 MiB of payload, 128 KiB of headers. A larger length is a lie. */
const MAX_HEADERS_BYTES = 128 * 1024;
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024 + MAX_HEADERS_BYTES + PRELUDE_BYTES + CRC_BYTES;
/** What the buffer starts with; most messages are a few hundred bytes. */
const INITIAL_BUFFER_BYTES = 16 * 1024;

/** Header types by number; a string's length stands in front of it, the rest is fixed. */
const STRING_TYPE = 7;
const BYTES_TYPE = 6;
const FIXED_BYTES: Record<number, number> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };

export class EventStreamDecoder {
  #onFrame: (frame: Frame) => void;
  #buffer = new Uint8Array(INITIAL_BUFFER_BYTES);
  #length = 0;

  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame;
  }

  push(bytes: Uint8Array): void {
    this.#append(bytes);
    let at = 0;
    for (;;) {
      const rest = this.#buffer.subarray(at, this.#length);
      const size = messageSize(rest);
      if (size === undefined || rest.length < size) break;
      this.#onFrame(readMessage(rest.subarray(0, size)));
      at += size;
    }
    if (at === 0) return;
    this.#buffer.copyWithin(0, at, this.#length);
    this.#length -= at;
  }

  /** A message that broke off is told by the reply that lacks its end. */
  end(): void {
    this.#length = 0;
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

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Checked as soon as the prelude is there, so that a wrong length waits for nothing. */
function messageSize(bytes: Uint8Array): number | undefined {
  if (bytes.length < PRELUDE_BYTES) return undefined;
  const view = viewOf(bytes);
  if (view.getUint32(8) !== crc32(bytes.subarray(0, 8))) {
    throw new SyntaxError("the checksum of a message's head is wrong");
  }
  const size = view.getUint32(0);
  const headers = view.getUint32(4);
  if (size > MAX_MESSAGE_BYTES || headers > MAX_HEADERS_BYTES) {
    throw new FrameTooLarge(`a message claims ${size} bytes`);
  }
  if (size < PRELUDE_BYTES + headers + CRC_BYTES) {
    throw new SyntaxError("a message is shorter than its headers");
  }
  return size;
}

function readMessage(bytes: Uint8Array): Frame {
  const view = viewOf(bytes);
  const end = bytes.length - CRC_BYTES;
  if (view.getUint32(end) !== crc32(bytes.subarray(0, end))) {
    throw new SyntaxError("the checksum of a message is wrong");
  }
  const payloadAt = PRELUDE_BYTES + view.getUint32(4);
  const headers = readHeaders(bytes.subarray(PRELUDE_BYTES, payloadAt));
  const data = new TextDecoder().decode(bytes.subarray(payloadAt, end));
  switch (headers.get(":message-type")) {
    case "exception":
      return { event: headers.get(":exception-type") ?? "", data, failed: true };
    case "error": {
      const message = headers.get(":error-message") ?? "";
      const event = headers.get(":error-code") ?? "";
      return { event, data: JSON.stringify({ message }), failed: true };
    }
    default:
      return { event: headers.get(":event-type") ?? "", data };
  }
}

/** Only text is of use here; values of other types are stepped over. */
function readHeaders(bytes: Uint8Array): Map<string, string> {
  const headers = new Map<string, string>();
  const reader = new Reader(bytes);
  while (reader.left > 0) {
    const name = reader.text(reader.number(1));
    const type = reader.number(1);
    if (type === STRING_TYPE) headers.set(name, reader.text(reader.number(2)));
    else if (type === BYTES_TYPE) reader.take(reader.number(2));
    else {
      const size = FIXED_BYTES[type];
      if (size === undefined) throw new SyntaxError(`a header of unknown type ${type}`);
      reader.take(size);
    }
  }
  return headers;
}

class Reader {
  #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  take(size: number): Uint8Array {
    if (size > this.left) throw new SyntaxError("a header ends after its message");
    const from = this.#at;
    this.#at += size;
    return this.#bytes.subarray(from, this.#at);
  }

  number(size: 1 | 2): number {
    const taken = this.take(size);
    return size === 1 ? taken[0]! : taken[0]! * 256 + taken[1]!;
  }

  text(size: number): string {
    return new TextDecoder().decode(this.take(size));
  }
}

export function encodeEventStream(payload: unknown, headers: Record<string, string>): Uint8Array {
  const encoder = new TextEncoder();
  const body = encoder.encode(JSON.stringify(payload));
  const parts: number[] = [];
  for (const [name, value] of Object.entries(headers)) {
    const key = encoder.encode(name);
    const text = encoder.encode(value);
    parts.push(key.length, ...key, STRING_TYPE, text.length >> 8, text.length & 0xff, ...text);
  }
  const size = PRELUDE_BYTES + parts.length + body.length + CRC_BYTES;
  const bytes = new Uint8Array(size);
  const view = viewOf(bytes);
  view.setUint32(0, size);
  view.setUint32(4, parts.length);
  view.setUint32(8, crc32(bytes.subarray(0, 8)));
  bytes.set(parts, PRELUDE_BYTES);
  bytes.set(body, PRELUDE_BYTES + parts.length);
  view.setUint32(size - CRC_BYTES, crc32(bytes.subarray(0, size - CRC_BYTES)));
  return bytes;
}
