import { expect, test } from "bun:test";
import fc from "fast-check";
import { type AlignedRun, alignLines } from "./align-lines.ts";

function expectSound(left: string[], right: string[], runs: AlignedRun[]): void {
  let [leftDone, rightDone] = [0, 0];
  for (const run of runs) {
    expect(run.left).toBeGreaterThanOrEqual(leftDone);
    expect(run.right).toBeGreaterThanOrEqual(rightDone);
    [leftDone, rightDone] = [run.left + run.length, run.right + run.length];
    const same = left.slice(run.left, leftDone).every((line, at) => line === right[run.right + at]);
    expect(same).toBe(true);
  }
}

test("runs are equal lines in the order of both texts", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 30 });
  fc.assert(
    fc.property(lines, lines, (left, right) => expectSound(left, right, alignLines(left, right))),
    { numRuns: 1000 },
  );
});

const COUNT = 20_000;
const make = (line: (at: number) => string) => Array.from({ length: COUNT }, (_, at) => line(at));

test("texts too unlike for a full comparison are aligned by lines that occur once", () => {
  const left = make((at) => (at % 3 === 0 ? "}" : `line ${at}`));
  const right = left.map((line, at) => (at % 10 === 1 ? `other ${at}` : line));
  const runs = alignLines(left, right);
  expectSound(left, right, runs);
  const aligned = runs.reduce((sum, run) => sum + run.length, 0);
  expect(aligned).toBe(COUNT - COUNT / 10);
});

test("texts with nothing in common, with everything moved, or of one repeated line end soon", () => {
  const started = performance.now();
  expect(
    alignLines(
      make((at) => `a${at}`),
      make((at) => `b${at}`),
    ),
  ).toEqual([]);
  const forward = make((at) => `a${at}`);
  expectSound(forward, forward.toReversed(), alignLines(forward, forward.toReversed()));
  const repeated = make((at) => `a${at % 50}`);
  const mixed = make((at) => `a${(at * 7) % 53}`);
  expectSound(repeated, mixed, alignLines(repeated, mixed));
  // About 0.1 s on an idle machine, minutes if every line were compared with every other.
  expect(performance.now() - started).toBeLessThan(10_000);
});
