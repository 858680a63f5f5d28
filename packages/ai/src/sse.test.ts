// Frames from bytes, however the network cut them, and a bound on what a frame may cost.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FrameTooLarge } from "./frame-too-large.ts";
import { encodeSse, MAX_FRAME_CHARS, SseDecoder } from "./sse.ts";
import type { Frame } from "./wire.ts";

const SEED = 11;

function framesOf(pieces: Iterable<Uint8Array>): Frame[] {
  const frames: Frame[] = [];
  const decoder = new SseDecoder((frame) => frames.push(frame));
  for (const piece of pieces) decoder.push(piece);
  decoder.end();
  return frames;
}

function read(text: string): Frame[] {
  return framesOf([new TextEncoder().encode(text)]);
}

function bytesOneByOne(text: string): Uint8Array[] {
  return Array.from(new TextEncoder().encode(text), (byte) => Uint8Array.of(byte));
}

describe("frames", () => {
  test("LF, CRLF and CR end a line, also mixed", () => {
    const expected = [
      { event: "a", data: "1" },
      { event: "", data: "2" },
    ];
    for (const end of ["\n", "\r\n", "\r"]) {
      expect(read(`event: a${end}data: 1${end}${end}data: 2${end}${end}`)).toEqual(expected);
    }
    expect(read("event: a\r\ndata: 1\n\r\ndata: 2\r\r")).toEqual(expected);
  });

  test("a CR and its LF in different pieces are one line end", () => {
    const encoder = new TextEncoder();
    const pieces = ["data: 1\r", "\ndata: 2\r", "\n\r", "\n"].map((text) => encoder.encode(text));
    expect(framesOf(pieces)).toEqual([{ event: "", data: "1\n2" }]);
  });

  test("comments, unknown fields and fields without a colon are passed over", () => {
    const text = ": keep-alive\nid: 7\nretry: 10\nnonsense\ndata: x\n\n";
    expect(read(text)).toEqual([{ event: "", data: "x" }]);
  });

  test("one space behind the colon belongs to the syntax, further ones to the value", () => {
    expect(read("data:x\n\ndata:  y\n\n").map(({ data }) => data)).toEqual(["x", " y"]);
  });

  test("several data lines are one text; an event name without data is nothing", () => {
    expect(read("data: a\ndata:\ndata: b\n\n")).toEqual([{ event: "", data: "a\n\nb" }]);
    expect(read("event: ping\n\ndata: x\n\n")).toEqual([{ event: "", data: "x" }]);
  });

  test("the last event counts without its blank line, and even without its line end", () => {
    expect(read("data: a\n\ndata: b\n")).toHaveLength(2);
    expect(read("data: a\n\ndata: b")).toHaveLength(2);
    expect(read("data: a\r")).toEqual([{ event: "", data: "a" }]);
  });

  test("a byte order mark is not part of the first field", () => {
    expect(read("\uFEFFdata: x\n\n")).toEqual([{ event: "", data: "x" }]);
  });
});

describe("any chunking gives the same frames", () => {
  const line = fc.oneof(
    fc.constantFrom("", "data:", "event: e", ": c", "data: [DONE]"),
    fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => `data: ${text}`),
  );
  const end = fc.constantFrom("\n", "\r\n", "\r");
  const stream = fc
    .array(fc.tuple(line, end), { maxLength: 25 })
    .map((lines) => lines.map(([text, eol]) => text + eol).join(""));

  test("also single bytes, which split UTF-8 sequences and CRLF", () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(400), { maxLength: 12 }), (text, places) => {
        const bytes = new TextEncoder().encode(text);
        const whole = framesOf([bytes]);
        expect(framesOf(bytesOneByOne(text))).toEqual(whole);
        const cuts = [0, ...places.map((at) => at % (bytes.length + 1)), bytes.length];
        cuts.sort((a, b) => a - b);
        const pieces = cuts.slice(1).map((to, at) => bytes.subarray(cuts[at], to));
        expect(framesOf(pieces)).toEqual(whole);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  test("what is encoded comes back, whatever it says", () => {
    const text = fc.string({ unit: "grapheme" }).filter((value) => !value.includes("\r"));
    fc.assert(
      fc.property(text, fc.option(fc.constantFrom("a", "b.c")), (data, event) => {
        const encoded = encodeSse(data, event ?? undefined);
        expect(framesOf(bytesOneByOne(encoded))).toEqual([{ event: event ?? "", data }]);
      }),
      { seed: SEED },
    );
  });
});

describe("memory is bounded", () => {
  const mebibyte = new Uint8Array(1024 * 1024).fill(0x61);

  function pushUntilRefused(piece: Uint8Array): number {
    const decoder = new SseDecoder(() => undefined);
    for (let pushed = 0; pushed < 4 * MAX_FRAME_CHARS; pushed += piece.length) {
      try {
        decoder.push(piece);
      } catch (error) {
        expect(error).toBeInstanceOf(FrameTooLarge);
        return pushed;
      }
    }
    throw new Error("never refused");
  }

  test("a line that never ends is refused", () => {
    expect(pushUntilRefused(mebibyte)).toBeLessThanOrEqual(MAX_FRAME_CHARS);
  });

  test("an event that never ends is refused, also one of empty lines", () => {
    const line = new TextEncoder().encode(`data: ${"x".repeat(1024 * 1024)}\n`);
    expect(pushUntilRefused(line)).toBeLessThanOrEqual(MAX_FRAME_CHARS + line.length);
    const empty = new TextEncoder().encode("data:\n".repeat(64 * 1024));
    expect(pushUntilRefused(empty)).toBeGreaterThan(0);
  });
});
