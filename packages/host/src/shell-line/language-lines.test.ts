// Languages inside of a command line: what is in the vocabulary goes by, whatever else is called asks.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { classifyShellLine } from "./classify-shell-line.ts";
import { JUDGED_CONTEXT } from "./fixtures/judged-context.ts";
import { LANGUAGE_HOSTILE_LINES } from "./fixtures/language-hostile-lines.ts";
import { LANGUAGE_ORDINARY_LINES } from "./fixtures/language-ordinary-lines.ts";

const isAsked = (line: string): boolean =>
  ["guarded", "unknown"].includes(classifyShellLine(line, JUDGED_CONTEXT).class);
const quoted = (code: string): string => `'${code.replaceAll("'", String.raw`'\''`)}'`;

describe("lines that hurt", () => {
  test.each(Object.entries(LANGUAGE_HOSTILE_LINES))("%s ask", (_group, lines) => {
    expect(lines.length).toBeGreaterThanOrEqual(10);
    expect(lines.filter((line) => !isAsked(line))).toEqual([]);
  });
});

describe("ordinary lines", () => {
  test.each(Object.entries(LANGUAGE_ORDINARY_LINES))("%s do not ask", (_group, lines) => {
    expect(lines.length).toBeGreaterThanOrEqual(30);
    expect(lines.filter(isAsked)).toEqual([]);
  });
});

const CALLS: readonly (readonly [string, (name: string) => string])[] = [
  ["perl -e", (name) => `${name}("x");`],
  ["perl -ne", (name) => `print if /x/; ${name}($_)`],
  ["perl -e", (name) => `my $s = "a@{[${name}(1)]}"; print $s`],
  ["perl -pe", (name) => `s/x/${name}($1)/e`],
  ["ruby -e", (name) => `${name}("x")`],
  ["ruby -e", (name) => `puts "a#{[1].each { |i| i.${name}(2) }}"`],
  ["ruby -ne", (name) => `puts $_.split.map(&:${name})`],
  ["php -r", (name) => `${name}("x");`],
  ["php -r", (name) => `$o->${name}();`],
  ["php -r", (name) => `array_map("${name}", [1]);`],
  ["lua -e", (name) => `${name}("x")`],
  ["lua -e", (name) => `os.${name}("x")`],
];
/** No language has such a function. */
const strange = fc.stringMatching(/^zq[a-z]{4,10}$/);

describe("calls of what is not in the vocabulary", () => {
  test.each(CALLS)("%s ask, wherever they stand", (program, codeOf) => {
    fc.assert(
      fc.property(strange, (name) => {
        expect(isAsked(`${program} ${quoted(codeOf(name))}`)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });
});

test("texts are texts: what is only printed does not ask", () => {
  const words = fc
    .stringMatching(/^[a-z ]{1,20}$/)
    .filter((text) => !/\b(?:rm|mv|dd|sh)\b/.test(text));
  fc.assert(
    fc.property(words, (text) => {
      for (const [program, code] of [
        ["perl -e", `print "${text}\\n"`],
        ["ruby -e", `puts "${text}"`],
        ["php -r", `echo "${text}";`],
        ["lua -e", `print("${text}")`],
      ])
        expect([program, isAsked(`${program} ${quoted(code!)}`)]).toEqual([program, false]);
    }),
    { numRuns: 50 },
  );
});
