// A key that is there twice is found in every way YAML and JSON have of writing it, and mistakes are
// named by their line.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseDocument } from "yaml";
import { mayBeDoubled, parseSettings } from "./parse-settings.ts";

describe("twice", () => {
  test.each([
    ["a: 1\nb: 2\na: 3\n", 3, "duplicate key a"],
    ["a:\n  b: 1\n  c: 2\n  b: 3\n", 4, "duplicate key b"],
    ['a: 1\n"a": 2\n', 2, "duplicate key a"],
    ["a: 1\n'a': 2\n", 2, "duplicate key a"],
    ["x: {a: 1, a: 2}\n", 1, "duplicate key"],
    ["x: {a, b: 1, a: 2}\n", 1, "duplicate key"],
    ["x: {a, a: 2}\n", 1, "duplicate key"],
    ['x: {"a":1,"a":2}\n', 1, "duplicate key"],
    ["? a\n: 1\n? a\n: 2\n", 3, "duplicate key"],
    ["? a\n? a\n", 2, "duplicate key"],
    ["x:\n  - a: 1\n    a: 2\n", 3, "duplicate key a"],
    ["b: &b {c: 1, d: 2}\ne: *b\na: 1\na: 2\n", 4, "duplicate key a"],
    ["a: x # b: c\na: y\n", 2, "duplicate key a"],
    ['a: "x # y"\nq: {a: "x\n  # y", a: 1}\n', 3, "duplicate key"],
  ])("%p", async (text, line, message) => {
    const parsed = await parseSettings("config.yml", text);
    expect(parsed).toMatchObject({ ok: false, line });
    expect(JSON.stringify(parsed)).toContain(message);
  });

  test.each([
    ['{"a": 1, "b": {"a": 1}, "a": 2}', 1],
    ['{\n  // "a": 0\n  "a": 1,\n  "b": ["a", {"c": 1, "c": 2}],\n}', 4],
    ['{"a": 1, /* : */ "\\u0061": 2}', 1],
  ])("in JSON: %p", async (text, line) => {
    expect(await parseSettings("o.json", text)).toMatchObject({ ok: false, line });
  });

  test.each([
    "a:\n  b: 1\nc:\n  b: 1\n",
    "a: 'b: c'\nd: x:y\n",
    "# a: 1\na: 1\n",
    "a: [b, c, d]\ne: {f: 1, g: {f: 2}}\n",
    "a: |\n  b: 1\n  b: 2\n",
    "a: &x {b: 1}\nc:\n  <<: *x\n  b: 2\n",
  ])("not %p", async (text) => {
    const data = Bun.YAML.parse(text);
    expect(await parseSettings("config.yml", text)).toEqual({ ok: true, data } as never);
  });

  test("the quick look never misses one", () => {
    const word = fc.constantFrom(
      "a",
      "b",
      '"a"',
      "'b'",
      "a b",
      "a:b",
      "? a",
      "&x a",
      "*x",
      "# c",
      "- a",
    );
    const glue = fc.constantFrom(
      ": ",
      ":",
      ":\n  ",
      "\n",
      "\n  ",
      ", ",
      " {",
      "}",
      " [",
      "]",
      "\n- ",
      "\t",
      " ",
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(word, glue), { maxLength: 10 }), (parts) => {
        const text = parts.flat().join("");
        let data: unknown;
        try {
          data = Bun.YAML.parse(text);
        } catch {
          return;
        }
        if (typeof data !== "object" || data === null || Array.isArray(data)) return;
        const isDoubled = parseDocument(text).errors.some(({ code }) => code === "DUPLICATE_KEY");
        if (isDoubled)
          expect({ text, found: mayBeDoubled(text, data) }).toEqual({ text, found: true });
      }),
      { numRuns: 20_000 },
    );
  });

  test("an ordinary file needs no second look", () => {
    const text =
      "# enabled: no\na:\n  enabled: true\nb:\n  enabled: false\n  rules:\n    - deny bash(x*)\nc: {d: e, f: g}\n";
    expect(mayBeDoubled(text, Bun.YAML.parse(text))).toBe(false);
  });
});

test.each([
  ["a: 1\nb: {c: 1\n", 2],
  ["a:\n\tb: 1\n", 2],
  ["a: 1\nb\nc: 1\n", 2],
  ["- a\n", 1],
  ["a: 1\n---\nb: 2\n", 1],
  ["a:\n\u00a0 b: 1\n", 2],
])("%p is named by its line", async (text, line) => {
  expect(await parseSettings("config.yml", text)).toMatchObject({ ok: false, line });
});
