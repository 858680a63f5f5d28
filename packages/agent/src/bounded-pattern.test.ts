import { expect, test } from "bun:test";
import fc from "fast-check";
import { matchesPattern } from "./bounded-pattern.ts";

test("what tools ask for is matched, however long a sane text is", () => {
  const long = "a".repeat(3000);
  expect(matchesPattern("^[a-z0-9_-]+$", long)).toBe(true);
  expect(matchesPattern("^[a-z0-9_-]+$", `${long}!`)).toBe(false);
  expect(matchesPattern("a+b", long)).toBe(false);
  expect(
    matchesPattern("^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2})?Z$", "2026-01-02T03:04Z"),
  ).toBe(true);
  expect(matchesPattern("^(one|two|three)$", "two")).toBe(true);
  expect(matchesPattern("^[a-z]+(-[a-z]+)*$", "well-known-name")).toBe(true);
  expect(matchesPattern("^[\\w.+-]+@[\\w-]+\\.[\\w.]+$", "someone@example.org")).toBe(true);
  expect(matchesPattern("^https?://[^/]+/", `https://example.org/${long}`)).toBe(true);
  expect(matchesPattern("[(*]{2}\\(\\*", `${"x".repeat(1000)}((\\(*`)).toBe(false);
});

test("characters are those that people see, and a text may be just as long as it is quick", () => {
  expect(matchesPattern("^.$", "😀")).toBe(true);
  const most = 10_000_000;
  expect(matchesPattern("^a+$", "a".repeat(most))).toBe(true);
  expect(matchesPattern("^a+$", "a".repeat(most + 1))).toBeUndefined();
});

test("what could take for ever is not tried, and nobody says that it fits or not", () => {
  const hostile = [
    "^(a+)+$",
    "^(a*)*$",
    "^(a|a)*$",
    "^(a|ab)+$",
    "^(?:a+){2,}$",
    "^(?<x>a?){40}$",
    "^((a+)b?)+$",
    "^(a{1,9}){9,}$",
    `^${"a?".repeat(40)}${"a".repeat(40)}$`,
    `^${"(a|a)".repeat(40)}$`,
    "a*a*a*a*b",
    "x|a*a*a*b",
    "(x+x+)+y",
  ];
  const text = `${"a".repeat(2000)}${"x".repeat(2000)}!`;
  for (const pattern of hostile) {
    expect({ pattern, match: matchesPattern(pattern, text) }).toEqual({
      pattern,
      match: undefined,
    });
  }
});

test("another dialect's pattern is nobody's business here", () => {
  expect(matchesPattern("(?<", "x")).toBeUndefined();
  expect(matchesPattern("(?i)^x$", "x")).toBeUndefined();
  expect(matchesPattern(")", "x")).toBeUndefined();
});

test("an answer is always the expression's own, and always comes", () => {
  const piece = fc.constantFrom(
    "a",
    "b",
    ".",
    "[ab]",
    "\\w",
    "(",
    ")",
    "|",
    "*",
    "+",
    "?",
    "{2,}",
    "^",
    "$",
  );
  const pattern = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(""));
  const text = fc.nat(300).map((length) => `${"a".repeat(length)}!`);
  fc.assert(
    fc.property(pattern, text, (pattern, text) => {
      const matches = matchesPattern(pattern, text);
      if (matches !== undefined) expect(matches).toBe(new RegExp(pattern, "u").test(text));
    }),
    { numRuns: 3000 },
  );
});
