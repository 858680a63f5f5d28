import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseEnvFile } from "./parse-env-file.ts";

test.each([
  ["A=1", { A: "1" }],
  ["export A = one two  ", { A: "one two" }],
  ["A=x # said", { A: "x" }],
  ["A=x#y", { A: "x#y" }],
  ["A=#nothing", { A: "" }],
  ["A=", { A: "" }],
  ["A='$HOME \\n' # literal", { A: "$HOME \\n" }],
  ['A="a\\nb\\"c\\\\d\\$e\\q"', { A: 'a\nb"c\\d$e\\q' }],
  ['A="one\ntwo"\nB=3', { A: "one\ntwo", B: "3" }],
  ["\uFEFFA=1\r\nB=2\r\n", { A: "1", B: "2" }],
  ["A=$(rm -rf /)\nB=`x`", { A: "$(rm -rf /)", B: "`x`" }],
  ["A=1\nA=2", { A: "2" }],
])("%j", (text, expected) => {
  const { values, problems } = parseEnvFile(text);
  expect(Object.fromEntries(values)).toEqual(expected as Record<string, string>);
  expect(problems).toEqual([]);
});

test("a line that makes no sense is named by its number, and hides nothing else", () => {
  const text = ["A=1", "just words", "1B=2", 'C="open', "", "D='x' y", "E=5"].join("\n");
  const { values, problems } = parseEnvFile(text);
  expect(Object.fromEntries(values)).toEqual({ A: "1", E: "5" });
  expect(problems.map(({ line }) => line)).toEqual([2, 3, 4, 6]);
  expect(JSON.stringify(problems)).not.toContain("words");
});

test("what is quoted comes back, whatever it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (one, two) => {
      const quoted = (value: string): string => `"${value.replace(/[\\"$]/g, "\\$&")}"`;
      const lines = (value: string): string => value.replace(/\r\n?/g, "\n");
      const { values, problems } = parseEnvFile(`A=${quoted(one)}\nB=${quoted(two)}\n`);
      expect(problems).toEqual([]);
      expect([values.get("A"), values.get("B")]).toEqual([lines(one), lines(two)]);
    }),
  );
});

test("no text at all makes it fail", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."A=\"'\\\n# $x") }), (text) => {
      const { values, problems } = parseEnvFile(text);
      expect(values.size + problems.length).toBeLessThanOrEqual(text.split("\n").length);
    }),
  );
});
