// What a layer of settings could not say, and what holds instead. Rows that guard fail closed: the
// strictest value is taken, and if no value would do, the calls that the lost word may have been
// about are asked about. Each problem says so, with the place to mend.

import { editDistance } from "@tau/agent/edit-distance";
import {
  EVERY_CALL,
  everyCall,
  UNTIL_MENDED,
  type ConfigProblem,
  type LostWord,
} from "../base/config-problem.ts";
import { guardingRows, type GuardingRow } from "./guarding-rows.ts";
import type { LostPart } from "./setting.ts";
import type { KnownRows, LayerName, SettingsLayer } from "./settings-layer.ts";

export class LayerLosses {
  readonly closed = new Map<string, { value: unknown; problem: ConfigProblem }>();
  readonly lost: LostWord[] = [];
  readonly #problems: ConfigProblem[];

  constructor(problems: ConfigProblem[]) {
    this.#problems = problems;
  }

  /** What was said about these rows cannot be read. */
  close(rows: readonly GuardingRow[], problem: ConfigProblem): void {
    const open = rows.filter(({ row }) => row.guards.closed === undefined);
    const tools = new Set(open.map(({ row }) => row.guards.tool));
    const held = rows
      .filter(({ row }) => row.guards.closed !== undefined)
      .map(({ key, row }) => `${key} is ${printed(row.guards.closed)}`);
    const asked = tools.has(undefined) ? [EVERY_CALL] : [...tools].map((tool) => everyCall(tool!));
    const until = asked.length === 0 ? ` ${UNTIL_MENDED}` : "";
    const outcome = [...held, ...asked].join(", ") + until;
    const told = { ...problem, message: `${problem.message}; ${outcome}` };
    this.#problems.push(told);
    for (const { key, row } of rows) {
      const { closed } = row.guards;
      if (closed !== undefined) this.closed.set(key, { value: closed, problem: told });
    }
    for (const tool of tools)
      this.lost.push(tool === undefined ? { problem: told } : { problem: told, tool });
  }

  /** A part of a value counts for nothing; the rest of it does. */
  lose({ calls }: Pick<LostPart, "calls">, problem: ConfigProblem): void {
    if (calls === "none") {
      this.#problems.push({ ...problem, severity: "warning" });
      return;
    }
    const about: { tool?: string; unlessTool?: string } = calls === "any" ? {} : calls;
    const outcome = about.tool === undefined ? EVERY_CALL : everyCall(about.tool);
    const told = { ...problem, message: `${problem.message}; ${outcome}` };
    this.#problems.push(told);
    this.lost.push({ problem: told, ...about });
  }
}

interface Unreadable {
  name: LayerName;
  file: string;
  why: string;
  line?: number | undefined;
  /** As far as it is known; undefined if it may say anything. */
  text?: string | undefined;
}

/**
 * A layer of which nothing counts. It may have denied anything, so every call is asked about, reads
 * too. That makes up for all rows but those that confine: they close if the text could have spoken of
 * them. One that does not have the group's word in it could not, so that a slip in the theme of
 * somebody who never used the sandbox does not take their commands away where there is none.
 */
export function unreadableLayer(
  { name, file, why, line, text }: Unreadable,
  known: KnownRows,
): SettingsLayer {
  const problem: ConfigProblem = { file, severity: "error", message: why };
  if (line !== undefined) problem.line = line;
  // Consent and confinement are not for a project to set.
  if (name === "project") {
    return { name, source: file, values: new Map(), problems: [problem], unreadable: problem };
  }
  const rows = guardingRows(known).filter(({ key, row }) => {
    const { kind, closed } = row.guards;
    if (closed === undefined || kind === "tool") return false;
    return kind === "consent" || maySpeakOf(key.split(".")[0]!, text);
  });
  const confining = rows.filter(({ row }) => row.guards.kind === "confinement");
  const held = confining.map(({ key, row }) => `${key} is ${printed(row.guards.closed)}`);
  problem.message = [`${why}; ${EVERY_CALL}`, ...held].join(", ");
  return {
    name,
    source: file,
    values: new Map(rows.map(({ key, row }) => [key, row.guards.closed])),
    problems: [problem],
    closed: new Map(rows.map(({ key }) => [key, problem])),
    lost: [{ problem }],
    unreadable: problem,
  };
}

/** A longer text is taken to speak of everything: looking through it would take too long. */
const MAX_SEARCHED = 64 * 1024;

/** The word may be what is broken: one slip, or signs in it, do not hide it. */
function maySpeakOf(word: string, text: string | undefined): boolean {
  if (text === undefined || text.length > MAX_SEARCHED) return true;
  const letters = text.toLowerCase().replace(/[^a-z]/g, "");
  if (letters.includes(word)) return true;
  for (let at = 0; at < letters.length; at++) {
    for (let length = word.length - 1; length <= word.length + 1; length++) {
      if (editDistance(letters.slice(at, at + length), word) <= 1) return true;
    }
  }
  return false;
}

function printed(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
