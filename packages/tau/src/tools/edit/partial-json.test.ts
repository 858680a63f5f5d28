import { expect, test } from "bun:test";
import fc from "fast-check";
import { parsePartialJson } from "./partial-json.ts";

test("JSON that is whole is read as JSON, and what has come of a string is its beginning", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      expect(parsePartialJson(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(), (input, cut) => {
      const whole = JSON.stringify({ other: [1, { x: null }], input });
      const part = parsePartialJson(whole.slice(0, cut % (whole.length + 1)));
      const found = (part as { input?: string } | undefined)?.input ?? "";
      expect(input.startsWith(found)).toBe(true);
    }),
  );
});

test("no text at all makes the reader of partial JSON fail", () => {
  const junk = fc.array(fc.constantFrom(...'{}[]",:\\u12.-e tn', "true", '"a"'), { maxLength: 30 });
  fc.assert(
    fc.property(junk, (parts) => {
      const value: unknown = parsePartialJson(parts.join(""));
      expect(value === undefined || JSON.stringify(value) !== undefined).toBe(true);
    }),
  );
});
