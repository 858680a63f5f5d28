// What an outsider may put into the log: every kind that Tau writes, and nothing that its readers
// would fall over.

import { describe, expect, test } from "bun:test";
import { entryProblem } from "./check-entry.ts";
import { SAMPLE_ENTRIES } from "./test/sample-entries.ts";

const circle: Record<string, unknown> = { type: "custom", customType: "x" };
circle.data = circle;

test("an entry of every kind is fine", () => {
  expect(entryProblem(Object.values(SAMPLE_ENTRIES))).toBeUndefined();
  expect(entryProblem([])).toBeUndefined();
});

describe.each(Object.values(SAMPLE_ENTRIES).map((entry) => [entry.type, entry] as const))(
  "%s",
  (type, entry) => {
    test("needs what its readers rely on", () => {
      expect(entryProblem([{ type }])).toContain(type);
      expect(entryProblem([entry, { type }])).toContain(type);
    });
  },
);

test.each([
  ["not a list", {}, "list"],
  ["nothing", [null], "type"],
  ["no type", [{ summary: "x" }], "type"],
  ["a type that is not a word", [{ type: 7 }], "type"],
  ["an unknown type", [{ type: "toString" }], "toString"],
  ["a message that is not there", [{ type: "message", message: null }], "message"],
  ["a message in words", [{ type: "message", message: "hi" }], "message"],
  ["an event that is not there", [{ type: "event", event: null }], "event"],
  ["a circle", [circle], "cyclic"],
  ["a BigInt", [{ type: "custom", customType: "x", data: 1n }], "BigInt"],
])("%s is refused", (_name, entries, word) => {
  expect(entryProblem(entries)).toContain(word);
});
