import { expect, test } from "bun:test";
import fc from "fast-check";
import { contentTag } from "./tag.ts";

test("a tag is four unmistakable characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(contentTag(text)).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}$/);
    }),
  );
});

test("a change of line endings keeps the tag, any small change of text alters it", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (lines) => {
      const text = lines.map((line) => line.replaceAll("\r", "")).join("\n");
      expect(contentTag(text.replaceAll("\n", "\r\n"))).toBe(contentTag(text));
    }),
  );
  const base = "const a = 1;\n";
  const variants = ["const a = 2;\n", "const b = 1;\n", "const a = 1;", "const a = 1;\n\n", ""];
  expect(new Set([base, ...variants].map(contentTag)).size).toBe(variants.length + 1);
});

test("tags of many files spread", () => {
  const tags = new Set(
    Array.from({ length: 1000 }, (_, i) => contentTag(`export const x = ${i};\n`)),
  );
  expect(tags.size).toBeGreaterThan(990);
});
