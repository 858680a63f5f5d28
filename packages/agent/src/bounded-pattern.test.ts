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

test("characters are those that people see", () => {
  expect(matchesPattern("^.$", "😀")).toBe(true);
});

test("how long a text may be follows from what a match might have to try", () => {
  const longest: [string, number][] = [
    // One loop ends anywhere; two share out the text; an anchor saves one.
    ["^a+$", 10_000_000],
    ["a", 10_000_000],
    ["a+", 3162],
    ["^a+b+$", 3162],
    ["^(a+)b+$", 3162],
    ["^a*a*a*$", 215],
    ["^a{3}b+$", 10_000_000],
    ["^a{3,}b+$", 3162],
    ["^(ab)+$", 10_000_000],
    ["^a\\+[+*]b+?$", 10_000_000],
    // What may be left out, and each alternative, is another way.
    ["^a?b+$", 5_000_000],
    ["^(a|b)c+$", 5_000_000],
    ["^(?:a|b|c)d+$", 3_333_333],
    ["^(ab?)?c+$", 2_500_000],
    ["^a|b+$", 2236],
    // Rounds that can share out the text in more than one way: each letter doubles them.
    ["^(a+)+$", 19],
    ["^(a+){3}$", 23],
    ["^(a|b)+$", 18],
    ["^(a?b+)+$", 11],
  ];
  for (const [pattern, length] of longest) {
    const judged = [length, length + 1].map(
      (count) => matchesPattern(pattern, "a".repeat(count)) !== undefined,
    );
    expect({ pattern, judged }).toEqual({ pattern, judged: [true, false] });
  }
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
