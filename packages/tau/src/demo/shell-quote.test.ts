import { expect, test } from "bun:test";
import fc from "fast-check";
import { shellQuote } from "./shell-quote.ts";
import { runBash } from "./test/converse.ts";

const argument = fc
  .string({ unit: "binary", maxLength: 60 })
  .map((text) => text.replaceAll("\0", "'"));
const hostile = fc.constantFrom(
  "'",
  "''",
  "\\'",
  "$(id)",
  "`id`",
  "!x",
  "\n",
  "a\r\nb",
  '"',
  "-n",
  "",
);

test("bash reads back exactly what was quoted", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(argument, hostile), { maxLength: 5 }), async (parts) => {
      const text = parts.join("");
      // The full stop keeps an empty text apart from no output.
      const { text: printed } = await runBash("/", `printf %s. ${shellQuote(text)}`);
      expect(printed).toBe(`${text}.`);
    }),
    { numRuns: 100 },
  );
});

test("a NUL, which no argument can carry, is refused", () => {
  expect(() => shellQuote("a\0b")).toThrow(RangeError);
});
