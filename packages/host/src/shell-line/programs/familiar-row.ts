// What is known of a familiar program whose options are not modelled one by one: whether it reads
// what it is given, works in its directory, talks to others; and which words of it lose something.

import type { CommandCall, ProgramJudge } from "../command-call.ts";
import { exactText } from "../field.ts";
import { judgeOutsidePaths } from "../judge-outside.ts";
import { judgeStranger } from "../judge-unknown.ts";
import { judgeDatabaseReset } from "./database-reset.ts";
import { judgeLosses, judgePlugins } from "./losing-words.ts";
import { judgeInner } from "./run-inner.ts";
import { PUBLISHES, TRIAL } from "./tool-row.ts";

export interface FamiliarRow {
  /** What it is given as operands it only reads; values of its options may still be written. */
  reads?: boolean;
  network?: boolean;
  /** Whatever it is told leaves the machine. */
  sends?: boolean;
  /** Its arguments are names, addresses, or paths somewhere else: none is a file of this machine. */
  isElsewhere?: boolean;
  /** What its words of loss are about; see losing-words.ts. */
  loses?: string;
  /** Others rely on it. */
  isShared?: boolean;
  /** With such an argument it only says what it would do. */
  looksWith?: RegExp;
  /** Against the words without options, and against all of them. */
  critical?: readonly (readonly [pattern: RegExp, reason: string])[];
}

/** A row and the programs that it is true of, separated by blanks. */
export type FamiliarGroup = readonly [names: string, row: FamiliarRow];

export function judgeFamiliar(row: FamiliarRow): ProgramJudge {
  return (call) => {
    const { effects } = call;
    judgeStranger(call);
    judgeInner(call);
    judgeDatabaseReset(call);
    judgePlugins(call);
    if (row.network) effects.network = true;
    if (row.sends) effects.sends = true;
    if (!row.isElsewhere) judgeOutsidePaths(call, { readsOperands: row.reads });
    if (row.loses !== undefined) judgeLosses(call, row.loses, { isShared: row.isShared });
    noteCritical(call, row);
  };
}

function noteCritical({ args, effects }: CommandCall, row: FamiliarRow): void {
  const { critical = [], looksWith } = row;
  if (critical.length === 0 || args.some(({ text }) => looksWith?.test(text ?? ""))) return;
  const texts = args.map((field) => exactText(field) ?? "?");
  const forms = [texts.filter((text) => !text.startsWith("-")).join(" "), texts.join(" ")];
  const isTrial = texts.some((text) => TRIAL.test(text));
  for (const [pattern, reason] of critical) {
    if (isTrial && reason === PUBLISHES) continue;
    if (forms.some((form) => pattern.test(form))) effects.critical.push(reason);
  }
}

export function rowsOf(groups: readonly FamiliarGroup[]): [string, ProgramJudge][] {
  return groups.flatMap(([names, row]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name): [string, ProgramJudge] => [name, judgeFamiliar(row)]),
  );
}
