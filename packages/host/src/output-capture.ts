// Keeps the beginning and the end of a stream of bytes in bounded memory, whatever its
// length. A command may print gigabytes; what it said first and last is what matters.

export interface CapturedOutput {
  text: string;
  totalBytes: number;
  omittedBytes: number;
}

export class OutputCapture {
  #half: number;
  #head: Uint8Array[] = [];
  #headBytes = 0;
  #tail: Uint8Array[] = [];
  #tailBytes = 0;
  #total = 0;

  constructor(limitBytes: number) {
    this.#half = Math.max(1, Math.floor(limitBytes / 2));
  }

  push(chunk: Uint8Array): void {
    this.#total += chunk.length;
    const room = this.#half - this.#headBytes;
    if (room > 0) {
      const part = chunk.subarray(0, room);
      this.#head.push(part.slice());
      this.#headBytes += part.length;
      if (part.length === chunk.length) return;
      this.#keepTail(chunk.subarray(room));
    } else this.#keepTail(chunk);
  }

  result(): CapturedOutput {
    const tail = concat(this.#tail);
    const kept = tail.subarray(Math.max(0, tail.length - this.#half));
    const omittedBytes = this.#total - this.#headBytes - kept.length;
    const head = concat(this.#head);
    // Cut between whole characters, so that the marker never stands inside one.
    const text =
      omittedBytes === 0
        ? decode(concat([head, kept]))
        : `${decode(trimEnd(head))}\n[… ${omittedBytes} bytes left out …]\n${decode(trimStart(kept))}`;
    return { text, totalBytes: this.#total, omittedBytes };
  }

  #keepTail(chunk: Uint8Array): void {
    const part = chunk.length > this.#half ? chunk.subarray(chunk.length - this.#half) : chunk;
    this.#tail.push(part.slice());
    this.#tailBytes += part.length;
    while (this.#tailBytes - this.#tail[0]!.length >= this.#half) {
      this.#tailBytes -= this.#tail.shift()!.length;
    }
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0xc0) === 0x80;

function trimStart(bytes: Uint8Array): Uint8Array {
  let at = 0;
  while (at < 3 && isContinuation(bytes[at])) at++;
  return bytes.subarray(at);
}

function trimEnd(bytes: Uint8Array): Uint8Array {
  let lead = bytes.length - 1;
  while (lead > bytes.length - 4 && isContinuation(bytes[lead])) lead--;
  const first = bytes[lead] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return lead + length > bytes.length ? bytes.subarray(0, lead) : bytes;
}
