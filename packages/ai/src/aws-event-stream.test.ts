import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { encodeEventStream, EventStreamDecoder } from "./aws-event-stream.ts";
import { crc32 } from "./crc32.ts";
import { FrameTooLarge } from "./frame-too-large.ts";
import { createFramer } from "./framing.ts";
import type { Frame } from "./wire.ts";

function framesOf(...pieces: Uint8Array[]): Frame[] {
  const frames: Frame[] = [];
  const decoder = new EventStreamDecoder((frame) => frames.push(frame));
  for (const piece of pieces) decoder.push(piece);
  decoder.end();
  return frames;
}

const hex = (text: string): Uint8Array => Uint8Array.fromHex(text.replaceAll(" ", ""));
const utf8 = (text: string): string => new TextEncoder().encode(text).toHex();

test("the checksum is the usual one", () => {
  expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
  expect(crc32(new Uint8Array())).toBe(0);
});

describe("messages of the vendor's own test suite", () => {
  const PAYLOAD = "{'foo':'bar'}";

  test("without headers and payload", () => {
    expect(framesOf(hex("00000010 00000000 05c248eb 7d98c8ff"))).toEqual([{ event: "", data: "" }]);
  });

  test("with a payload", () => {
    const bytes = hex(`0000001d 00000000 fd528c5a ${utf8(PAYLOAD)} c3653936`);
    expect(framesOf(bytes)).toEqual([{ event: "", data: PAYLOAD }]);
  });

  test("with a number among the headers", () => {
    const header = `0a ${utf8("event-type")} 04 0000a00c`;
    const bytes = hex(`0000002d 00000010 41c424b8 ${header} ${utf8(PAYLOAD)} 36f480a0`);
    expect(framesOf(bytes)).toEqual([{ event: "", data: PAYLOAD }]);
  });

  test("with a text among the headers, which is also what we would write", () => {
    const header = `0c ${utf8("content-type")} 07 0010 ${utf8("application/json")}`;
    const bytes = hex(`0000003d 00000020 07fd8396 ${header} ${utf8(PAYLOAD)} 8d9c08b1`);
    expect(framesOf(bytes)).toEqual([{ event: "", data: PAYLOAD }]);
  });
});

const arbitraryMessage = fc.record({
  name: fc.string({ unit: "grapheme", maxLength: 20 }),
  payload: fc.jsonValue({ maxDepth: 2 }),
});

test("any chunking of what was encoded gives the same frames", () => {
  const places = fc.array(fc.nat(), { maxLength: 20 });
  fc.assert(
    fc.property(fc.array(arbitraryMessage, { maxLength: 5 }), places, (messages, cuts) => {
      const bytes = new Uint8Array(
        Buffer.concat(messages.map((m) => encodeEventStream(m.payload, { ":event-type": m.name }))),
      );
      const expected = messages.map((m) => ({ event: m.name, data: JSON.stringify(m.payload) }));
      expect(framesOf(bytes)).toEqual(expected);
      expect(framesOf(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected);
      const at = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
      const pieces = [...at, bytes.length].map((to, n) => bytes.subarray(at[n - 1] ?? 0, to));
      expect(framesOf(...pieces)).toEqual(expected);
    }),
  );
});

test("a byte that changed on the way is noticed", () => {
  fc.assert(
    fc.property(arbitraryMessage, fc.nat(), fc.integer({ min: 1, max: 255 }), (m, at, by) => {
      const bytes = encodeEventStream(m.payload, { ":event-type": m.name });
      const place = at % bytes.length;
      bytes[place] = bytes[place]! ^ by;
      // In the length it may also look like a message that is still on its way.
      let frames: Frame[] = [];
      try {
        frames = framesOf(bytes);
      } catch (error) {
        expect(error instanceof SyntaxError || error instanceof FrameTooLarge).toBe(true);
      }
      expect(frames).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("a length that no message has is refused before the bytes come", () => {
  const head = new Uint8Array(12);
  const view = new DataView(head.buffer);
  view.setUint32(0, 0x7fffffff);
  view.setUint32(8, crc32(head.subarray(0, 8)));
  expect(() => framesOf(head)).toThrow(FrameTooLarge);
  view.setUint32(0, 13);
  view.setUint32(8, crc32(head.subarray(0, 8)));
  expect(() => framesOf(head)).toThrow(SyntaxError);
});

test("failures are marked", () => {
  const exception = encodeEventStream(
    { message: "slow down" },
    { ":message-type": "exception", ":exception-type": "throttlingException" },
  );
  const error = encodeEventStream("", {
    ":message-type": "error",
    ":error-code": "InternalFailure",
    ":error-message": "oops",
  });
  expect(framesOf(exception, error)).toEqual([
    { event: "throttlingException", data: '{"message":"slow down"}', failed: true },
    { event: "InternalFailure", data: '{"message":"oops"}', failed: true },
  ]);
});

test("it is the framer of its framing", async () => {
  const frames: Frame[] = [];
  const framer = await createFramer("aws-event-stream", (frame) => frames.push(frame));
  framer.push(encodeEventStream({ a: 1 }, { ":event-type": "x" }));
  expect(frames).toEqual([{ event: "x", data: '{"a":1}' }]);
});
