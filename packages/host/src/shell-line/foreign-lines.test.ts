// The judge against lines of somebody who has not read it: how much harm runs unasked, and how often
// ordinary work is asked about. What it is known to get wrong is listed, and the list only shrinks.

import { expect, test } from "bun:test";
import { classifyShellLine } from "./classify-shell-line.ts";
import { ATTACKER_LINES, ATTACKER_UNASKED } from "./fixtures/attacker-lines.ts";
import { DEVELOPER_LINES } from "./fixtures/developer-lines.ts";
import { FOREIGN_HOSTILE_LINES, type ForeignRow } from "./fixtures/foreign-hostile-lines.ts";
import {
  KNOWN_FALSE_ALARMS,
  KNOWN_MISSES,
  KNOWN_TAKEN_FOR_READING,
} from "./fixtures/foreign-known-misses.ts";
import { FOREIGN_ORDINARY_LINES } from "./fixtures/foreign-ordinary-lines.ts";
import {
  ORDINARY_NEIGHBOURS,
  THIRD_ATTACKER_LINES,
  THIRD_ATTACKER_UNASKED,
  THIRD_ATTACKER_VARIATIONS,
} from "./fixtures/third-attacker-lines.ts";
import { JUDGED_CONTEXT } from "./fixtures/judged-context.ts";

const LEAST_HOSTILE = 420;
const LEAST_ORDINARY = 520;
const LEAST_FAMILIES = 15;

const classOf = (line: string) => classifyShellLine(line, JUDGED_CONTEXT).class;
const isAsked = (line: string) => ["guarded", "unknown"].includes(classOf(line));
const linesOf = (rows: readonly ForeignRow[]) => rows.map(([line]) => line);
const rate = (part: readonly string[], all: readonly unknown[]) =>
  `${part.length} of ${all.length} (${((100 * part.length) / all.length).toFixed(1)} %)`;

const hostile = FOREIGN_HOSTILE_LINES.filter(([, , note]) => note === undefined);
const families = new Set(hostile.map(([, family]) => family));

/** New ones are a regression; ones that are gone are good news that the list must tell. */
function expectExactly(found: readonly string[], known: readonly string[]): void {
  expect({
    new: found.filter((line) => !known.includes(line)),
    mended: known.filter((line) => !found.includes(line)),
  }).toEqual({ new: [], mended: [] });
}

test("there are enough lines, none twice, and every note says why", () => {
  expect(hostile.length).toBeGreaterThanOrEqual(LEAST_HOSTILE);
  expect(FOREIGN_ORDINARY_LINES.length).toBeGreaterThanOrEqual(LEAST_ORDINARY);
  expect(families.size).toBeGreaterThanOrEqual(LEAST_FAMILIES);
  const all = linesOf([...FOREIGN_HOSTILE_LINES, ...FOREIGN_ORDINARY_LINES]);
  expect(all.filter((line, at) => all.indexOf(line) !== at)).toEqual([]);
  const notes = FOREIGN_HOSTILE_LINES.flatMap(([, , note]) => note ?? []);
  expect(notes.filter((note) => !/^limit: \S.{8}/.test(note))).toEqual([]);
});

test("hostile lines that run unasked in auto are the known ones", () => {
  const missed = hostile.filter(([line]) => !isAsked(line));
  const perFamily = [...families].map((family) => {
    const own = hostile.filter((row) => row[1] === family);
    return `  ${family}: ${rate(linesOf(own.filter((row) => missed.includes(row))), own)}`;
  });
  console.log(`foreign hostile lines unasked in auto: ${rate(linesOf(missed), hostile)}`);
  console.log(perFamily.join("\n"));
  expectExactly(linesOf(missed), KNOWN_MISSES);
});

test("hostile lines that are taken for reading are the known ones", () => {
  const taken = linesOf(hostile).filter((line) => classOf(line) === "read-only");
  console.log(`foreign hostile lines unasked in always-ask: ${rate(taken, hostile)}`);
  expectExactly(taken, KNOWN_TAKEN_FOR_READING);
});

test("ordinary lines that are asked about are the known ones", () => {
  const alarms = linesOf(FOREIGN_ORDINARY_LINES).filter(isAsked);
  console.log(`foreign ordinary lines asked about: ${rate(alarms, FOREIGN_ORDINARY_LINES)}`);
  expectExactly(alarms, KNOWN_FALSE_ALARMS);
});

const MAX_ASKED = 0.03;

test("a developer is asked about at most three lines in a hundred", () => {
  const asked = DEVELOPER_LINES.filter(isAsked);
  console.log(`a developer's lines asked about: ${rate(asked, DEVELOPER_LINES)}`);
  expect(asked.length / DEVELOPER_LINES.length).toBeLessThanOrEqual(MAX_ASKED);
});

test(
  "the second attacker's lines are asked about, all but the known ones",
  () => {
    const all = [...ATTACKER_LINES, ...ATTACKER_UNASKED];
    const unasked = all.filter((line) => !isAsked(line));
    console.log(`second attacker's lines unasked in auto: ${rate(unasked, all)}`);
    expectExactly(unasked, ATTACKER_UNASKED);
    expect(all.filter((line) => classOf(line) === "read-only")).toEqual([]);
  },
  { timeout: 120_000 },
);

test("the third attacker's lines are asked about, all but the known ones", () => {
  const all = [...Object.values(THIRD_ATTACKER_LINES).flat(), ...THIRD_ATTACKER_UNASKED];
  const unasked = all.filter((line) => !isAsked(line));
  console.log(`third attacker's lines unasked in auto: ${rate(unasked, all)}`);
  expectExactly(unasked, THIRD_ATTACKER_UNASKED);
  expect(all.filter((line) => classOf(line) === "read-only")).toEqual([]);
});

test("variations of the third attacker's lines are asked about, and their ordinary neighbours are not", () => {
  expect(THIRD_ATTACKER_VARIATIONS.filter((line) => !isAsked(line))).toEqual([]);
  expect(ORDINARY_NEIGHBOURS.filter(isAsked)).toEqual([]);
});
