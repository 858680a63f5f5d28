// Laws of the reading of code: whatever the text is, there is an answer, soon; code that Python and
// Bun take is read; and what is known of a kernel is only what has run there.

import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { CodeDeadline } from "./code-deadline.ts";
import { noCodeEffects } from "./code-effects.ts";
import { CodeMemory } from "./code-memory.ts";
import { HOSTILE_JAVASCRIPT } from "./fixtures/hostile-javascript.ts";
import { HOSTILE_PYTHON } from "./fixtures/hostile-python.ts";
import { ORDINARY_JAVASCRIPT } from "./fixtures/ordinary-javascript.ts";
import { ORDINARY_PYTHON } from "./fixtures/ordinary-python.ts";
import { parseJavaScript } from "./javascript-statements.ts";
import { BUG, judgeJavaScript, judgePython } from "./judge-code.ts";
import { parsePython } from "./python-statements.ts";

const WORLD = { home: "/home/me" };
const JUDGES = [judgePython, judgeJavaScript] as const;
/** Twice the deadline: Bun reads a script first, which cannot be stopped, and machines are busy. */
const SOON_MS = 800;

const PIECES =
  `( ) [ ] { } : ; , . = => -> == + * ** / // % @ ! ? ' " \` ''' """ \\ # $ \${ \n \t if else for in while def class return lambda
  import from as with try except async await yield function const let new x y os fs open( exec( eval( require( 'a' f"{ 1 0x \u0000 \ud800 é
  %cd !ls .then( ...`.split(" ");
const soup = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4, unit: "binary" })), {
    maxLength: 60,
  })
  .map((parts) => parts.join(""));
const samples = [HOSTILE_PYTHON, HOSTILE_JAVASCRIPT, ORDINARY_PYTHON, ORDINARY_JAVASCRIPT]
  .flat(2)
  .filter((code) => code.length < 2000);
/** Real code with a hole or a bit of other code in it. */
const damaged = fc
  .tuple(
    fc.constantFrom(...samples),
    fc.nat(),
    fc.nat({ max: 20 }),
    fc.constantFrom("", ...samples),
  )
  .map(([code, at, length, other]) => {
    const from = at % (code.length + 1);
    return code.slice(0, from) + other.slice(0, length) + code.slice(from + length);
  });

test.each(JUDGES)("any text has an answer: %p", (judge) => {
  fc.assert(
    fc.property(fc.oneof(soup, damaged), (code) => {
      const found = judge(code, WORLD);
      expect(Object.keys(found)).toEqual(Object.keys(noCodeEffects()));
      expect(found.unknown.filter((why) => why.startsWith(BUG))).toEqual([]);
    }),
    { numRuns: 1500 },
  );
});

const LONG = {
  text: `x = "${"a".repeat(1_000_000)}"`,
  lines: "print(1)\n".repeat(110_000),
  brackets: "(".repeat(1_000_000),
  lists: `x = ${"[".repeat(60_000)}${"]".repeat(60_000)}`,
  sums: `x = 1${" + 1".repeat(45_000)}`,
  calls: `f${"(1)".repeat(60_000)}`,
  members: `a${".b".repeat(90_000)}`,
  texts: "'a' ".repeat(45_000),
  powers: `x = ${"not ".repeat(45_000)}x`,
  doubling: Array.from({ length: 4000 }, (_, at) => `a${at + 1} = a${at} + a${at}`).join("\n"),
  choices: Array.from({ length: 4000 }, () => `p = p + 'a' if p else p + 'b'`).join("\n"),
  functions:
    Array.from({ length: 40 }, (_, at) => `def f${at}(x):\n  f${at + 1}(x); f${at + 1}(x)`).join(
      "\n",
    ) + "\nf0(1)",
  loops: `${Array.from({ length: 60 }, (_, at) => `${" ".repeat(at)}for i in x:`).join("\n")}\n${" ".repeat(60)}f(i)`,
  templates: "`${".repeat(40_000),
  arrows: "x => ".repeat(30_000),
  slashes: "/".repeat(190_000),
  quotes: `"\\`.repeat(60_000),
  strings: `f"{`.repeat(60_000),
};

test.each(Object.entries(LONG))("long code has an answer soon: %s", (_, code) => {
  for (const judge of JUDGES) {
    const start = performance.now();
    const { unknown } = judge(code, WORLD);
    expect(unknown.filter((why) => why.startsWith(BUG))).toEqual([]);
    expect(performance.now() - start).toBeLessThan(SOON_MS);
  }
});

test("a cell of a megabyte asks", () => {
  for (const judge of JUDGES)
    expect(judge(LONG.lines, WORLD).unknown).toEqual(["the code is too long to judge"]);
});

const LONGEST_SOURCE = 100_000;
/** Here it counts whether a file is read, not when. */
const PATIENCE_MS = 10_000;

function sources(directory: string, end: RegExp, most: number): string[] {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
  const found = names.filter((name) => end.test(name)).slice(0, most);
  const texts = found.map((name) => readFileSync(join(directory, name), "utf8"));
  return texts.filter(({ length }) => length < LONGEST_SOURCE);
}

const HERE = join(import.meta.dir, "..");

test("Python of our own is read", () => {
  const files = sources(join(HERE, "kernel"), /\.py$/, 100);
  expect(files.length).toBeGreaterThan(5);
  for (const file of files)
    expect(parsePython(file, new CodeDeadline(PATIENCE_MS)).length).toBeGreaterThan(0);
});

test("JavaScript of others is read", () => {
  const packages = join(HERE, "../../../node_modules");
  const files = ["yaml/dist", "valibot/dist", "fflate/lib", "openai"].flatMap((name) =>
    sources(join(packages, name), /\.[cm]?js$/, 200),
  );
  expect(files.length).toBeGreaterThan(50);
  for (const file of files) parseJavaScript(file, new CodeDeadline(PATIENCE_MS));
});

test("what was judged but did not run is not remembered", () => {
  const memory = new CodeMemory();
  const world = { ...WORLD, memory };
  const run = (code: string, isWhole: boolean): void =>
    memory.keep(memory.aside(() => judgePython(code, world)).outcome, { isWhole });
  const writes = (): (string | undefined)[] =>
    memory
      .aside(() => judgePython("open(p, 'w')", world))
      .result.overwrites.map(({ text }) => text);
  run("p = '/home/me/x'", true);
  memory.aside(() => judgePython("p = 'ok.txt'", world));
  expect(writes()).toEqual(["/home/me/x"]);
  run("p = 'ok.txt'", false);
  expect(writes()).toEqual(["/home/me/x", "ok.txt"]);
  run("p = 'ok.txt'", true);
  expect(writes()).toEqual(["ok.txt"]);
  memory.forget();
  expect(writes()).toEqual([]);
});
