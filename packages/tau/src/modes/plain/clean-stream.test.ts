import { expect, test } from "bun:test";
import fc from "fast-check";
import { sanitize } from "@tau/tui/width";
import { CleanStream } from "./clean-stream.ts";

const piece = fc.constantFrom(
  "text",
  "\r",
  "\n",
  "\u001b[2J",
  "\u001b[31m",
  "\u001b]52;c;aGFybQ==\u0007",
  "\u001b]0;title\u001b\\",
  "\u009b2J",
  "\u001bc",
  "日本",
);

test("however a text is cut, nothing is obeyed and nothing else is lost", () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.infiniteStream(fc.nat(5)),
      (pieces, cuts) => {
        const whole = pieces.join("");
        const stream = new CleanStream();
        let out = "";
        for (let at = 0; at < whole.length;) {
          const next = at + 1 + cuts.next().value!;
          out += stream.push(whole.slice(at, next));
          at = next;
        }
        // A carriage return at the very end waits for its newline.
        expect(out).toBe(sanitize(whole.replace(/\r$/, "")));
      },
    ),
    { numRuns: 2000 },
  );
});

test("a sequence that never ends does not wait for ever", () => {
  const stream = new CleanStream();
  let out = "";
  for (let at = 0; at < 100; at++) out += stream.push(`\u001b]52;c;${"a".repeat(100)}`);
  expect(out).not.toContain("\u001b");
  expect(stream.push(" \u0007seen")).toEndWith("seen");
});
