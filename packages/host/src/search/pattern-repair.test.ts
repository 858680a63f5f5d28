import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  escapeLiteralBraces,
  escapeParentheses,
  hasUnbalancedGroups,
  needsBacktracking,
  spansLines,
} from "./pattern-repair.ts";
import { patternTokens } from "./pattern-tokens.ts";

const patternText = fc
  .array(
    fc.constantFrom(
      ..."ab\\{}[]()|$^*+?.,12:- ",
      "{2}",
      "{2,}",
      "{1,3}",
      "{,2}",
      "\\{",
      "\\p{L}",
      "\\n",
      "[^{]",
      "(?:",
      "日",
      "😀",
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

describe("literal braces", () => {
  const table: [pattern: string, repaired: string][] = [
    ["${x}", "\\$\\{x\\}"],
    ["`${name}`", "`\\$\\{name\\}`"],
    ["${1}", "\\$\\{1\\}"],
    ["a{2,4}", "a{2,4}"],
    ["a{2}", "a{2}"],
    ["a{2,}", "a{2,}"],
    ["a{,2}", "a\\{,2\\}"],
    ["(ab){3}", "(ab){3}"],
    ["[ab]{3}", "[ab]{3}"],
    ["\\d{4}", "\\d{4}"],
    ["interface{}", "interface\\{\\}"],
    ["interface\\{\\}", "interface\\{\\}"],
    ["{2}", "\\{2\\}"],
    ["({2})", "(\\{2\\})"],
    ["a|{2}", "a|\\{2\\}"],
    ["[{}]", "[{}]"],
    ["[]{}]", "[]{}]"],
    ["\\p{Greek}", "\\p{Greek}"],
    ["\\x{1F600}", "\\x{1F600}"],
    ["\\b{start}x", "\\b{start}x"],
    ["if (x) {", "if (x) \\{"],
    ["a$", "a$"],
    ["a$|{", "a$|\\{"],
  ];
  for (const [pattern, repaired] of table) {
    test(pattern, () => expect(escapeLiteralBraces(pattern)).toBe(repaired));
  }

  test("repairing twice is repairing once", () => {
    fc.assert(
      fc.property(patternText, (pattern) => {
        const once = escapeLiteralBraces(pattern);
        expect(escapeLiteralBraces(once)).toBe(once);
      }),
    );
  });

  test("a pattern without braces stays as it is", () => {
    fc.assert(
      fc.property(patternText, (pattern) => {
        const plain = pattern.replace(/[{}]/g, "");
        expect(escapeLiteralBraces(plain)).toBe(plain);
      }),
    );
  });
});

test("the pieces of a pattern join to it again", () => {
  fc.assert(
    fc.property(fc.oneof(patternText, fc.string({ unit: "binary" })), (pattern) => {
      expect(
        patternTokens(pattern)
          .map(({ text }) => text)
          .join(""),
      ).toBe(pattern);
    }),
  );
});

test("groups that do not close are seen, those in classes and escapes are not", () => {
  for (const pattern of ["foo(", "a)", "(a))", ")(", "((a)"]) {
    expect([pattern, hasUnbalancedGroups(pattern)]).toEqual([pattern, true]);
  }
  for (const pattern of ["(a)", "\\(", "[(]", "a\\)b", "(?:a|(b))", "[]()]"]) {
    expect([pattern, hasUnbalancedGroups(pattern)]).toEqual([pattern, false]);
  }
  expect(escapeParentheses("foo(bar")).toBe("foo\\(bar");
  expect(escapeParentheses("a\\(b)[(]")).toBe("a\\(b\\)[(]");
});

test("literal parentheses always balance", () => {
  fc.assert(
    fc.property(patternText, (pattern) => {
      expect(hasUnbalancedGroups(escapeParentheses(pattern))).toBe(false);
    }),
  );
});

test("only a pattern that names a line break spans lines", () => {
  for (const pattern of ["a\\nb", "a\nb", "a[\\n]b", "\\x0a", "\\x{0A}", "a\\r?\\nb", "[\n]"]) {
    expect([pattern, spansLines(pattern)]).toEqual([pattern, true]);
  }
  for (const pattern of ["a\\\\nb", "[^\\n]*", "\\s", "name", "\\\\x0a", "[\\\\n]"]) {
    expect([pattern, spansLines(pattern)]).toEqual([pattern, false]);
  }
});

test("look-around and back references need the other engine", () => {
  for (const pattern of ["a(?=b)", "(?!x)", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?>a)"]) {
    expect([pattern, needsBacktracking(pattern)]).toEqual([pattern, true]);
  }
  for (const pattern of ["(a)", "(?:a)", "(?P<n>a)", "(?<n>a)", "\\(?=", "\\\\1", "[(?=]"]) {
    expect([pattern, needsBacktracking(pattern)]).toEqual([pattern, false]);
  }
});
