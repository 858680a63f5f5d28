// Lines from a stream of bytes, each no longer than a command may be. What is longer is thrown away
// as it comes, so that no client can fill the memory with one line, and the next line is read as if
// nothing had happened.

export type InputLine = { type: "line"; text: string } | { type: "too_long" } | { type: "no_text" };

const NEWLINE = 0x0a;

export async function* readLines(
  input: AsyncIterable<Uint8Array>,
  { maxBytes }: { maxBytes: number },
): AsyncGenerator<InputLine> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let isTooLong = false;
  const add = (part: Uint8Array): void => {
    length += part.length;
    if (length > maxBytes) {
      isTooLong = true;
      parts = [];
    } else if (part.length > 0) parts.push(part);
  };
  const take = (): InputLine => {
    const line: InputLine = isTooLong ? { type: "too_long" } : decode(parts);
    parts = [];
    length = 0;
    isTooLong = false;
    return line;
  };
  for await (const chunk of input) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, at));
      from = at + 1;
      yield take();
    }
    // A copy: the stream may use its buffer again before the line is whole.
    if (from < chunk.length) add(chunk.slice(from));
  }
  if (length > 0) yield take();
}

function decode(parts: readonly Uint8Array[]): InputLine {
  try {
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    return { type: "line", text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (error) {
    if (error instanceof TypeError) return { type: "no_text" };
    throw error;
  }
}
