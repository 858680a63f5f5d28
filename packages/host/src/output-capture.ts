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
  #newlines = 0;

  constructor(limitBytes: number) {
    this.#half = Math.max(1, Math.floor(limitBytes / 2));
  }

  push(chunk: Uint8Array): void {
    this.#total += chunk.length;
    this.#newlines += countNewlines(chunk);
    const room = this.#half - this.#headBytes;
    if (room > 0) {
      const part = chunk.subarray(0, room);
      this.#head.push(new Uint8Array(part));
      this.#headBytes += part.length;
      if (part.length === chunk.length) return;
      this.#keepTail(chunk.subarray(room));
    } else this.#keepTail(chunk);
  }

  result(): CapturedOutput {
    const all = concat(this.#tail);
    const end = all.subarray(Math.max(0, all.length - this.#half));
    const begin = concat(this.#head);
    if (this.#total === begin.length + end.length) {
      return { text: decode(concat([begin, end])), totalBytes: this.#total, omittedBytes: 0 };
    }
    // Cut between lines, or else between characters: the marker never stands inside one.
    const head = wholeLines(begin) ?? trimEnd(begin);
    const tail = fromNewLine(end) ?? trimStart(end);
    const omittedBytes = this.#total - head.length - tail.length;
    const lines = this.#newlines - countNewlines(head) - countNewlines(tail);
    const note = `[… ${lines} lines, ${omittedBytes} bytes left out …]`;
    const gap = head.at(-1) === NEWLINE ? "" : "\n";
    const text = `${decode(head)}${gap}${note}\n${decode(tail)}`;
    return { text, totalBytes: this.#total, omittedBytes };
  }

  #keepTail(chunk: Uint8Array): void {
    const part = chunk.length > this.#half ? chunk.subarray(chunk.length - this.#half) : chunk;
    this.#tail.push(new Uint8Array(part));
    this.#tailBytes += part.length;
    while (this.#tailBytes - this.#tail[0]!.length >= this.#half) {
      this.#tailBytes -= this.#tail.shift()!.length;
    }
  }
}

const NEWLINE = 0x0a;

function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

/** Undefined if the last line is most of it. */
function wholeLines(bytes: Uint8Array): Uint8Array | undefined {
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  return end > bytes.length / 2 ? bytes.subarray(0, end) : undefined;
}

function fromNewLine(bytes: Uint8Array): Uint8Array | undefined {
  const start = bytes.indexOf(NEWLINE) + 1;
  return start > 0 && start < bytes.length / 2 ? bytes.subarray(start) : undefined;
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
