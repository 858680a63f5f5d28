// Short options that stand together: an option is found wherever in a cluster it stands, and its value
// whether it is glued to it or the next argument.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { classifyShellLine } from "./classify-shell-line.ts";
import { readArguments } from "./command-call.ts";
import { knownField } from "./field.ts";
import { JUDGED_CONTEXT } from "./fixtures/judged-context.ts";

const VALUED = "o output T";
const flags = fc.array(fc.constantFrom(..."abcdefghsvxz"), { maxLength: 5 });
const values = fc.constantFrom("x", ".env", "/a/b", "../c", "a=b");

test("a value option is found in every position of a cluster", () => {
  fc.assert(
    fc.property(
      flags,
      flags,
      fc.constantFrom("o", "T"),
      values,
      fc.boolean(),
      (before, after, option, value, isGlued) => {
        const cluster = `-${before.join("")}${option}`;
        const rest = after.map((flag) => `-${flag}`);
        const args = isGlued ? [cluster + value, ...rest] : [cluster, value, ...rest];
        const read = readArguments(
          args.map((text) => knownField(text)),
          VALUED,
        );
        expect(read.values.get(option)?.map(({ text }) => text)).toEqual([value]);
        for (const flag of [...before, ...after]) expect(read.options.has(flag)).toBe(true);
        expect(read.operands).toEqual([]);
      },
    ),
  );
});

/** A program, flags that change nothing, and the option that makes it ask, with its value. */
const ASKING: readonly (readonly [
  program: string,
  flags: string,
  option: string,
  value: string,
])[] = [
  ["sort", "nru", "o", "/home/me/x"],
  ["curl", "sSfLv", "o", "/home/me/x"],
  ["wget", "qcN", "O", "/home/me/x"],
  ["gcc", "gcS", "o", "/home/me/x"],
  ["tar -c", "zvh", "f", "/home/me/x"],
  ["unzip", "oqj", "d", "/home/me"],
  ["git push", "vqun", "f", ""],
  ["npm install", "DEf", "g", ""],
  ["tree", "adf", "o", "/home/me/x"],
  ["rsync", "avzn", "e", "'sh -c \"rm -rf /home/me/x\"'"],
  ["ssh", "vqNT", "R", "9:localhost:9"],
  ["docker compose down", "q", "v", ""],
  ["sed", "nEs", "i", "s/a/b/ /home/me/x"],
  ["perl", "pn", "i", "-e 1 /home/me/x"],
  ["yq", "rC", "i", ". /home/me/x"],
];

test("whatever asks alone asks among other letters", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ASKING).chain(([program, letters, option, value]) =>
        fc.record({
          program: fc.constant(program),
          option: fc.constant(option),
          value: fc.constant(value),
          others: fc.shuffledSubarray([...letters]),
        }),
      ),
      ({ program, option, value, others }) => {
        const line = `${program} -${others.join("")}${option} ${value}`.trim();
        expect({ line, class: classifyShellLine(line, JUDGED_CONTEXT).class }).toEqual({
          line,
          class: expect.stringMatching(/^(?:guarded|unknown)$/),
        });
      },
    ),
    { numRuns: 400 },
  );
});
