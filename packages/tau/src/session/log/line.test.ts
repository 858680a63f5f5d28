// The laws of a line: what was written comes back, and what is not exactly what was
// written does not pass for it.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { decodeLine, encodeLine, MAX_LINE_BYTES, type LinePlace } from "./line.ts";
import { EntryTooLarge } from "./log-error.ts";

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom('"}', ',"crc":"00000000"}', "\n", "\r\n", "\u2028", "\ud800", "\\"),
);
const payload = fc.jsonValue({ depthSize: "small" });
const entry = fc
  .record({ id: text, parentId: fc.option(text), timestamp: text, summary: text, details: payload })
  .map((fields) => ({ type: "custom", ...fields }));
const place: fc.Arbitrary<LinePlace> = fc.record(
  {
    n: fc.nat(),
    up: fc.maxSafeNat(),
    state: fc.maxSafeNat(),
    title: fc.maxSafeNat(),
    batch: fc.tuple(fc.nat(), fc.nat()),
  },
  { requiredKeys: ["n"] },
);

/** As JSON keeps it: no -0. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function lineOf(value: object, at?: LinePlace): Uint8Array {
  const line = encodeLine(value, at);
  expect(line.indexOf(0x0a)).toBe(line.length - 1);
  return line.subarray(0, -1);
}

test("any entry comes back, with its place", () => {
  fc.assert(
    fc.property(entry, fc.option(place, { nil: undefined }), (value, at) => {
      expect(decodeLine(lineOf(value, at))).toEqual({ value: plain(value), place: at });
    }),
  );
});

test("a line that went through CRLF conversion is the same line", () => {
  fc.assert(
    fc.property(entry, place, (value, at) => {
      const line = Buffer.concat([lineOf(value, at), Buffer.from("\r")]);
      expect(decodeLine(line)?.value).toEqual(plain(value));
    }),
  );
});

test("any changed byte is noticed", () => {
  fc.assert(
    fc.property(
      entry,
      place,
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (value, at, where, by) => {
        const line = lineOf(value, at).slice();
        const index = where % line.length;
        line[index] = line[index]! ^ by;
        expect(decodeLine(line)).toBeUndefined();
      },
    ),
    { numRuns: 2000 },
  );
});

test("any truncation is noticed, at either end", () => {
  fc.assert(
    fc.property(entry, place, (value, at) => {
      const line = lineOf(value, at);
      for (let cut = 0; cut < line.length; cut += 1) {
        expect(decodeLine(line.subarray(0, cut))).toBeUndefined();
        expect(decodeLine(line.subarray(line.length - cut))).toBeUndefined();
      }
    }),
    { numRuns: 50 },
  );
});

test("two lines that were fused are neither", () => {
  fc.assert(
    fc.property(entry, entry, place, fc.nat(), (one, other, at, where) => {
      const torn = lineOf(one, at);
      const cut = where % (torn.length + 1);
      expect(decodeLine(Buffer.concat([torn.subarray(0, cut), lineOf(other, at)]))).toEqual(
        cut === 0 ? { value: plain(other), place: at } : undefined,
      );
    }),
  );
});

test("a line has a largest size, and says what to do about it", () => {
  const huge = { type: "custom", data: "x".repeat(MAX_LINE_BYTES) };
  expect(() => encodeLine(huge)).toThrow(EntryTooLarge);
  expect(() => encodeLine(huge)).toThrow("Write large output to a file");
});

test("the line's own keys are nobody else's", () => {
  expect(() => encodeLine({ type: "x", crc: 1 })).toThrow(TypeError);
  expect(() => encodeLine({ type: "x", $: 1 })).toThrow(TypeError);
});
