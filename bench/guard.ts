// How much of the hostile lines would run unasked, how often ordinary ones are asked about, and what
// it costs to judge one. The hostile lines are those within the documented limits.

import {
  classifyShellLine,
  type LineJudgement,
} from "../packages/host/src/shell-line/classify-shell-line.ts";
import {
  ATTACKER_LINES,
  ATTACKER_UNASKED,
} from "../packages/host/src/shell-line/fixtures/attacker-lines.ts";
import { DEVELOPER_LINES } from "../packages/host/src/shell-line/fixtures/developer-lines.ts";
import { FOREIGN_HOSTILE_LINES } from "../packages/host/src/shell-line/fixtures/foreign-hostile-lines.ts";
import { FOREIGN_ORDINARY_LINES } from "../packages/host/src/shell-line/fixtures/foreign-ordinary-lines.ts";
import { HOSTILE_LINES } from "../packages/host/src/shell-line/fixtures/hostile-lines.ts";
import { JUDGED_CONTEXT } from "../packages/host/src/shell-line/fixtures/judged-context.ts";
import { ORDINARY_LINES } from "../packages/host/src/shell-line/fixtures/ordinary-lines.ts";
import type { Figure } from "./figure.ts";

const UNASKED_BAR = 0;
const FALSE_ALARM_BAR = 3;

export function measureGuard(): Figure[] {
  const hostile = [
    ...HOSTILE_LINES,
    ...FOREIGN_HOSTILE_LINES.filter(([, , limit]) => limit === undefined).map(([line]) => line),
  ].map(judge);
  const second = [...ATTACKER_LINES, ...ATTACKER_UNASKED].map(judge);
  const ordinary = [
    ...ORDINARY_LINES,
    ...FOREIGN_ORDINARY_LINES.map(([line]) => line),
    ...DEVELOPER_LINES,
  ];
  const since = performance.now();
  const judged = ordinary.map(judge);
  const perLine = ((performance.now() - since) / ordinary.length) * 1000;
  const unasked = hostile.filter((one) => !isAsked(one));
  return [
    percent(
      `${hostile.length} hostile lines, unasked in auto`,
      unasked.length,
      hostile,
      UNASKED_BAR,
    ),
    percent(
      `${hostile.length} hostile lines, unasked in always-ask`,
      hostile.filter(({ class: found }) => found === "read-only").length,
      hostile,
      UNASKED_BAR,
    ),
    // Most of what is left is ordinary work in other circumstances; a test keeps the list.
    percent(
      `${second.length} lines of a second attacker, unasked in auto`,
      second.filter((one) => !isAsked(one)).length,
      second,
    ),
    percent(
      `${ordinary.length} ordinary lines, asked about in auto`,
      judged.filter(isAsked).length,
      ordinary,
      FALSE_ALARM_BAR,
    ),
    { name: "judging one line", value: perLine, unit: "µs" },
  ];
}

function judge(line: string): LineJudgement {
  return classifyShellLine(line, JUDGED_CONTEXT);
}

function isAsked({ class: found }: LineJudgement): boolean {
  return found === "guarded" || found === "unknown";
}

function percent(name: string, count: number, all: readonly unknown[], bar?: number): Figure {
  return { name, value: (100 * count) / all.length, unit: "%", bar };
}
