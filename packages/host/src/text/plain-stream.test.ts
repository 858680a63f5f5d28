// Plain text as it comes: however the bytes are cut, the same text comes out.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { PlainStream } from "./plain-stream.ts";

function through(pieces: readonly (Uint8Array | string)[]): string {
  const stream = new PlainStream();
  return pieces.map((piece) => stream.push(piece)).join("") + stream.end();
}

test("colours, titles, clipboards and cursor moves go; text stays", () => {
  expect(
    through(["\x1b[1;31mred\x1b[0m \x1b]0;title\x07a\x1b]52;c;eA==\x1b\\b\x1b7\x1b[2Jc\x00\x07"]),
  ).toBe("red abc");
});

test("a line drawn over becomes lines, a line end stays one", () => {
  expect(through(["10%\r", "20%\r", "\nnext\r\nlast"])).toBe("10%\n20%\nnext\nlast");
});

test("what begins and never ends is left out, and holds nothing back for long", () => {
  expect(through(["a\x1b[12"])).toBe("a");
  const stream = new PlainStream();
  stream.push("\x1b]0;");
  stream.push("x".repeat(5000));
  expect(stream.push("after\n")).toBe("after\n");
});

test("any cutting of the bytes gives the same text", () => {
  const unit = fc.constantFrom(
    "a",
    "ü",
    "漢",
    "\n",
    "\r\n",
    "\x1b[1;31m",
    "\x1b[0K",
    "\x1b]0;t\x07",
    "\x1b]8;;u\x1b\\",
    "\x1b(B",
    "\x1b=",
    "\x1b[?2004h",
    "\x07",
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 30 }), fc.array(fc.nat(100)), (units, cuts) => {
      const bytes = Buffer.from(units.join(""));
      const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted(
        (a, b) => a - b,
      );
      const pieces = [...places, bytes.length].map((to, at) =>
        bytes.subarray(places[at - 1] ?? 0, to),
      );
      expect(through(pieces)).toBe(through([bytes]));
    }),
    { numRuns: 1000 },
  );
});
