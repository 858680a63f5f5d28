// Every form of a selector, and that nothing but a typed error comes of any other text.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DatabaseError } from "./database-error.ts";
import {
  parseDatabaseSelector,
  parseRowTarget,
  type DatabaseSelector,
} from "./database-selector.ts";

const rows = (more: Partial<DatabaseSelector & { kind: "rows" }> = {}): DatabaseSelector => ({
  kind: "rows",
  table: "t",
  limit: 20,
  offset: 0,
  ...more,
});

describe("selectors", () => {
  test.each<[string, DatabaseSelector]>([
    ["", { kind: "tables" }],
    [":", { kind: "tables" }],
    [":t", { kind: "schema", table: "t" }],
    [":t:1", { kind: "row", table: "t", key: "1" }],
    [":t:a:b", { kind: "row", table: "t", key: "a:b" }],
    [":t?", rows()],
    [":t?limit=5&offset=10", rows({ limit: 5, offset: 10 })],
    [":t?limit=9999", rows({ limit: 500 })],
    [":t?order=a", rows({ order: { column: "a", isDescending: false } })],
    [":t?order=a:DESC", rows({ order: { column: "a", isDescending: true } })],
    [":t?where=a=1&limit=2", rows({ where: "a=1", limit: 2 })],
    [":t?where=a & 1", rows({ where: "a & 1" })],
    [":t?where=a+b>1", rows({ where: "a+b>1" })],
    [":t?where=a%3D'x+y'", rows({ where: "a='x y'" })],
    [":t?where=a LIKE '%20'", rows({ where: "a LIKE '%20'" })],
    [":t?where='%'=a", rows({ where: "'%'=a" })],
    ["?q=SELECT 1", { kind: "query", sql: "SELECT 1" }],
    ["?q=SELECT+1", { kind: "query", sql: "SELECT 1" }],
    [
      "?q=SELECT a & b FROM t WHERE x = '?'",
      { kind: "query", sql: "SELECT a & b FROM t WHERE x = '?'" },
    ],
  ])("%s", (text, wanted) => {
    expect(parseDatabaseSelector(text)).toEqual(wanted);
  });

  test.each([
    ["?limit=5", "Name a table"],
    ["?q=", "is empty"],
    ["?q=SELECT 1&limit=5", "stands alone"],
    [":t?q=SELECT 1", "stands alone"],
    [":t:1?limit=5", "no parameters"],
    [":t:", "no key"],
    ["::1", "no table"],
    [":t?limit=0", "limit="],
    [":t?limit=-1", "limit="],
    [":t?limit=x", "limit="],
    [":t?offset=1.5", "offset="],
    [":t?order=", "order="],
    [":t?where=", "where="],
    [":t?where=1;drop", "semicolons"],
    [":t?where=1 -- x", "comments"],
    [":t?where=1)(", "parentheses"],
    [":t?where=(1", "parentheses"],
    [":t?where=a = ?", "parameters"],
    [":t?nope=1", "no parameter"],
  ])("%s is refused with what to do", (text, hint) => {
    expect(() => parseDatabaseSelector(text)).toThrow(hint);
    expect(() => parseDatabaseSelector(text)).toThrow(DatabaseError);
  });

  test("nothing throws anything but a DatabaseError", () => {
    const piece = fc.constantFrom(
      ":",
      "?",
      "q=",
      "limit=",
      "where=",
      "order=",
      "&",
      "=",
      "%",
      "%2",
      "+",
      "'",
      '"',
      "(",
      ")",
      "t",
      "1",
      " ",
      "--",
      "/*",
      ";",
      "SELECT",
      "UNION",
      "é",
      "😀",
      "\ud800",
      "\0",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece, { maxLength: 14 }).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(text, (selector) => {
        for (const parse of [parseDatabaseSelector, parseRowTarget]) {
          try {
            expect(parse(selector)).toBeObject();
          } catch (error) {
            expect(error).toBeInstanceOf(DatabaseError);
          }
        }
      }),
      { numRuns: 3000 },
    );
  });
});
