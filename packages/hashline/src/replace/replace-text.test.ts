import { expect, test } from "bun:test";
import fc from "fast-check";
import { joinParts, textParts } from "../../test/random-edits.ts";
import { PatchError } from "../patch-error.ts";
import { type Replacement, replaceText, type ReplaceOptions } from "./replace-text.ts";

const CODE = "function f() {\n  return 1;\n}\n\nfunction g() {\n  return 1;\n}\n";

function refusal(text: string, edits: Replacement[], options?: ReplaceOptions): PatchError {
  try {
    replaceText(text, edits, options);
  } catch (error) {
    if (error instanceof PatchError) return error;
    throw error;
  }
  return expect.unreachable("it was replaced");
}

const one = (oldText: string, newText: string): Replacement[] => [{ oldText, newText }];

test("the old text is replaced where it is, once", () => {
  const result = replaceText(CODE, one("g() {\n  return 1;", "g() {\n  return 2;"));
  expect(result).toEqual({
    text: CODE.replace("g() {\n  return 1", "g() {\n  return 2"),
    firstChangedLine: 6,
    count: 1,
    warnings: [],
  });
});

test("several places are refused, or all replaced on request", () => {
  const failure = refusal(CODE, one("return 1", "return 2"));
  expect(failure.code).toBe("ambiguous_match");
  expect(failure.message).toContain("2 times");
  expect(failure.message).toContain("*2:  return 1;");
  expect(failure.message).toContain("*6:  return 1;");
  const all = [{ oldText: "return 1", newText: "return 2", replaceAll: true }];
  expect(replaceText(CODE, all)).toMatchObject({
    text: CODE.replaceAll("return 1", "return 2"),
    count: 2,
  });
});

test("places that overlap are several places too", () => {
  expect(refusal("aaa", one("aa", "b")).code).toBe("ambiguous_match");
  expect(replaceText("aaaa", [{ oldText: "aa", newText: "b", replaceAll: true }]).text).toBe("bb");
});

test("all edits mean the text as it was", () => {
  const edits = [...one("f()", "g()"), ...one("g()", "h()")];
  expect(replaceText("f() g()", edits).text).toBe("g() h()");
});

test("edits that touch one another are refused", () => {
  expect(refusal("abcd", [...one("abc", "x"), ...one("bcd", "y")]).code).toBe("overlap");
  expect(refusal("ab", [...one("a", "a1"), ...one("a", "a2")]).code).toBe("overlap");
});

test("what is not there is refused with the nearest place", () => {
  const failure = refusal(CODE, one("function g() {\n  return 7;\n}", "x"));
  expect(failure.code).toBe("not_found");
  expect(failure.message).toContain("*5:function g() {\n*6:  return 1;\n*7:}");
  expect(refusal(CODE, one("entirely elsewhere", "x")).message).not.toContain("nearest");
  expect(refusal(CODE, one("", "x")).code).toBe("not_found");
  expect(refusal(CODE, one("}", "}")).code).toBe("no_change");
});

const FUZZY: [name: string, text: string, oldText: string, newText: string, expected: string][] = [
  ["trailing spaces in the file", "a();  \nb();\n", "a();\nb();", "a();\nc();", "a();  \nc();\n"],
  [
    "trailing spaces in the old text",
    "a();\nb();\n",
    "a(); \nb(); ",
    "a(); \nc();",
    "a();\nc();\n",
  ],
  ["quotes", "say(“hi”, 1);\n", 'say("hi", 1)', 'say("hi", 2)', "say(“hi”, 2);\n"],
  ["dashes and spaces", "a\u00A0—\u00A0b c\n", "a - b c", "a - b d", "a\u00A0—\u00A0b d\n"],
  [
    "deeper in the file",
    "if (x) {\n    a();\n    b();\n}\n",
    "a();\nb();",
    "a();\nif (y) {\n  c();\n}",
    "if (x) {\n    a();\n    if (y) {\n      c();\n    }\n}\n",
  ],
  ["deeper in the old text", "a();\nb();\n", "  a();\n  b();", "  a();\n  c();", "a();\nc();\n"],
  ["tabs", "\t\ta();\n\t\tb();\n", "\ta();\n\tb();", "\tc();", "\t\tc();\n"],
  [
    "lines that only come",
    "x\n  a();\n  b();\n",
    "a();\nb();",
    "a();\nnew();\nb();",
    "x\n  a();\n  new();\n  b();\n",
  ],
  ["a line that only goes", "x\n  a();\n  b();\n", "a();\nb();", "a();", "x\n  a();\n"],
  [
    "lines at the end without a line end",
    "  a();\n  b();",
    "a();\nb();",
    "a();\nb();\nc();",
    "  a();\n  b();\n  c();",
  ],
  ["whole lines deleted", "a \nb \nc\n", "a\nb\n", "", "c\n"],
];

for (const [name, text, oldText, newText, expected] of FUZZY) {
  test(`tolerance: ${name}`, () => {
    const result = replaceText(text, one(oldText, newText));
    expect(result.text).toBe(expected);
    expect(result.warnings).toHaveLength(1);
    expect(result.warnings[0]).toContain("matched at line ");
    expect(refusal(text, one(oldText, newText), { isFuzzy: false }).code).toBe("not_found");
  });
}

test("tolerance does not choose between places, nor between indentations", () => {
  expect(refusal("  a();\nx\n    a();\n", one("\ta();", "\tb();")).code).toBe("not_found");
  expect(refusal("a();  \nx\na();  \n", one("a();\n", "b();\n")).code).toBe("ambiguous_match");
  expect(refusal("  a();\n    b();\n", one("a();\nb();", "c();")).code).toBe("not_found");
  expect(refusal("a();\n", one("  a();\n  b", "c")).code).toBe("not_found");
  // The new line stands left of where the old ones began: how far to shift it is not known.
  expect(refusal("a();\nb();\n", one("  a();\n  b();", "c();")).code).toBe("not_found");
});

test("the file keeps its line ends, mark and end", () => {
  const text = "\uFEFFa\r\nb\r\nc\nd";
  expect(replaceText(text, one("a\nb", "x\ny\nz")).text).toBe("\uFEFFx\r\ny\r\nz\r\nc\nd");
  expect(replaceText(text, one("c\nd", "c\ne\nf")).text).toBe("\uFEFFa\r\nb\r\nc\ne\nf");
  expect(replaceText(text, one("b\r\nc", "b\r\nx")).text).toBe("\uFEFFa\r\nb\r\nx\nd");
});

test("an exact replacement is what a search and replace gives, byte for byte", () => {
  fc.assert(
    fc.property(textParts(), fc.nat(), fc.nat(), fc.string(), (parts, from, length, made) => {
      const text = joinParts(parts);
      const start = from % (text.length + 1);
      const oldText = text.slice(start, start + 1 + (length % 12));
      const newText = made.replaceAll(/[\r\n]/g, "");
      // Texts with their own line ends are compared in the plain reading only.
      fc.pre(!/[\r\n\uFEFF]/.test(oldText) && oldText !== "" && oldText !== newText);
      const isOnce = text.indexOf(oldText) === text.lastIndexOf(oldText);
      if (!isOnce) expect(refusal(text, one(oldText, newText)).code).toBe("ambiguous_match");
      else {
        const expected = text.slice(0, start) + newText + text.slice(start + oldText.length);
        expect(replaceText(text, one(oldText, newText)).text).toBe(expected);
      }
    }),
    { numRuns: 1000 },
  );
});
