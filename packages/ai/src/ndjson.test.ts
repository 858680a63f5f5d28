import { expect, test } from "bun:test";
import fc from "fast-check";
import { FrameTooLarge } from "./frame-too-large.ts";
import { createFramer } from "./framing.ts";
import { encodeNdjson, NdjsonDecoder } from "./ndjson.ts";
import { MAX_FRAME_CHARS } from "./sse.ts";

function linesOf(...pieces: Uint8Array[]): string[] {
  const lines: string[] = [];
  const decoder = new NdjsonDecoder(({ data }) => lines.push(data));
  for (const piece of pieces) decoder.push(piece);
  decoder.end();
  return lines;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test("any chunking of what was encoded gives the same lines", () => {
  const values = fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 6 });
  fc.assert(
    fc.property(values, fc.array(fc.nat(), { maxLength: 20 }), (all, cuts) => {
      const bytes = bytesOf(all.map(encodeNdjson).join(""));
      const expected = all.map((value) => JSON.stringify(value));
      expect(linesOf(bytes)).toEqual(expected);
      expect(linesOf(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected);
      const at = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
      const pieces = [...at, bytes.length].map((to, n) => bytes.subarray(at[n - 1] ?? 0, to));
      expect(linesOf(...pieces)).toEqual(expected);
    }),
  );
});

test("blank lines mean nothing, CRLF and a missing last break are taken", () => {
  expect(linesOf(bytesOf('{"a":1}\r\n\n  \n{"b":"日本"}'))).toEqual(['{"a":1}', '{"b":"日本"}']);
  expect(linesOf()).toEqual([]);
});

test("a line that never ends is refused", () => {
  const decoder = new NdjsonDecoder(() => undefined);
  const piece = new Uint8Array(MAX_FRAME_CHARS / 4).fill(0x61);
  expect(() => {
    for (let n = 0; n < 5; n++) decoder.push(piece);
  }).toThrow(FrameTooLarge);
});

test("it is the framer of its framing", async () => {
  const lines: string[] = [];
  const framer = await createFramer("ndjson", ({ data }) => lines.push(data));
  framer.push(bytesOf("1\n2"));
  framer.end();
  expect(lines).toEqual(["1", "2"]);
});
