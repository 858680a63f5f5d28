import { expect, test } from "bun:test";
import { BUILT_IN } from "../features/built-in.ts";
import type { Feature } from "./feature.ts";
import { ownLineOf, type OwnLine } from "./own-line.ts";

test.each([
  ["hello", undefined],
  ["/help", undefined],
  ["!ls", "shell"],
  ["$ 1 + 1", "code"],
  ["$js 1", "code"],
  ["$5 is too much", undefined],
  ["$HOME", undefined],
] as const)("%p is for %s", (text, label) => {
  expect(ownLineOf(BUILT_IN, text)?.label).toBe(label);
});

test("a feature from outside brings its own sign", () => {
  const line: OwnLine = {
    sign: "?",
    label: "ask",
    border: "border",
    stops: "stops the question",
    matches: (text) => text.startsWith("? "),
    run: async () => {},
  };
  const asking: Feature = { name: "asking", lines: [line] };
  expect(ownLineOf([...BUILT_IN, asking], "? why")).toBe(line);
  expect(ownLineOf(BUILT_IN, "? why")).toBeUndefined();
});
