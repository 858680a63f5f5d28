// The reading of code against cells: how much harm runs unasked, and how often ordinary work is asked
// about. Cells of a row run one after the other in the same kernel.

import { expect, test } from "bun:test";
import { classifyShellLine } from "../shell-line/classify-shell-line.ts";
import { JUDGED_CONTEXT } from "../shell-line/fixtures/judged-context.ts";
import { quote } from "./code-acts.ts";
import { CodeMemory } from "./code-memory.ts";
import { HOSTILE_JAVASCRIPT } from "./fixtures/hostile-javascript.ts";
import { HOSTILE_PYTHON } from "./fixtures/hostile-python.ts";
import { ORDINARY_JAVASCRIPT } from "./fixtures/ordinary-javascript.ts";
import { ORDINARY_PYTHON } from "./fixtures/ordinary-python.ts";

const MAX_FALSE_ALARMS = 0.03;
const LEAST_HOSTILE = 250;
const LEAST_ORDINARY = 150;

type Rows = readonly (readonly string[])[];

/** Why a row is asked about, with what a session remembers of secrets. */
function reasonsFor(program: string, cells: readonly string[]): string[] {
  const code = { python: new CodeMemory(), javascript: new CodeMemory() };
  const secrets: string[] = [];
  return cells.flatMap((cell) => {
    // Magics are judged by whoever takes cells apart.
    const line = cell.startsWith("!") ? cell.slice(1) : `${program} ${quote(cell)}`;
    const {
      class: found,
      reasons,
      commands,
    } = classifyShellLine(line, { ...JUDGED_CONTEXT, code });
    const isLeaving = secrets.length > 0 && commands.some(({ sends }) => sends);
    secrets.push(...commands.flatMap(({ readsSecrets }) => readsSecrets));
    if (found !== "guarded" && found !== "unknown") return isLeaving ? ["may send a secret"] : [];
    return reasons;
  });
}

const KINDS: readonly (readonly [string, Rows, Rows])[] = [
  ["python3 -c", HOSTILE_PYTHON, ORDINARY_PYTHON],
  ["bun -e", HOSTILE_JAVASCRIPT, ORDINARY_JAVASCRIPT],
];
const percent = (part: number, all: number): string =>
  `${part} of ${all} (${((100 * part) / all).toFixed(1)} %)`;

test("there are enough of them, none twice", () => {
  const hostile = KINDS.flatMap(([, rows]) => rows.map((row) => row.join("\n")));
  const ordinary = KINDS.flatMap(([, , rows]) => rows.map((row) => row.join("\n")));
  expect(hostile.length).toBeGreaterThanOrEqual(LEAST_HOSTILE);
  expect(ordinary.length).toBeGreaterThanOrEqual(LEAST_ORDINARY);
  const all = [...hostile, ...ordinary];
  expect(all.filter((row, at) => all.indexOf(row) !== at)).toEqual([]);
});

test.each(KINDS)("%s: nothing hostile goes by unasked", (program, hostile) => {
  const missed = hostile.filter((row) => reasonsFor(program, row).length === 0);
  console.log(`${program}: hostile cells unasked ${percent(missed.length, hostile.length)}`);
  expect(missed).toEqual([]);
});

test.each(KINDS)("%s: ordinary work is not asked about", (program, _, ordinary) => {
  const asked = ordinary
    .map((row) => ({ row, reasons: reasonsFor(program, row) }))
    .filter(({ reasons }) => reasons.length > 0);
  console.log(`${program}: ordinary cells asked about ${percent(asked.length, ordinary.length)}`);
  for (const { row, reasons } of asked)
    console.log(`  ${reasons.join("; ")}: ${JSON.stringify(row)}`);
  expect(asked.length / ordinary.length).toBeLessThanOrEqual(MAX_FALSE_ALARMS);
});
