// The rows that guard, found by what a user may have meant: a name with a slip in it, at the wrong
// depth or under a heading that does not exist. A setting that nobody knows is told and left out, but
// not if it may have been a refusal.

import { editDistance } from "@tau/agent/edit-distance";
import { suggest } from "../base/suggest.ts";
import type { SettingRow } from "./setting.ts";
import type { KnownRows } from "./settings-layer.ts";

export interface GuardingRow {
  key: string;
  row: SettingRow & Required<Pick<SettingRow, "guards">>;
}

export function guardingRows(known: KnownRows): GuardingRow[] {
  return known.keys().flatMap((key) => {
    const row = known.row(key)!;
    return isGuarding(row) ? [{ key, row }] : [];
  });
}

export function isGuarding(row: SettingRow): row is GuardingRow["row"] {
  return row.guards !== undefined;
}

/** What stands where a heading should be was meant for one of the rows below it. */
export function guardingRowsBelow(heading: string, known: KnownRows): GuardingRow[] {
  return guardingRows(known).filter(({ key }) => key.startsWith(`${heading}.`));
}

/** For a key nobody knows; `any`: it speaks of consent, in words that belong elsewhere. */
export function rowsMeantBy(key: string, value: unknown, known: KnownRows): GuardingRow[] | "any" {
  const guarding = guardingRows(known);
  const words = pathsOf(key, value);
  const near = guarding.filter((one) => words.some((word) => isNear(word, one, known)));
  if (near.length > 0) return near;
  const [heading = ""] = key.split(".");
  // A refusal below the right heading is about the row that would be guessed: `bash.disabled`.
  const guess = isRefusal(key, value) ? suggest(key, known.keys()) : undefined;
  const guessed = guarding.filter((one) => one.key === guess && guess.startsWith(`${heading}.`));
  if (guessed.length > 0) return guessed;
  const whole = headingsThatConfine(known).find(
    (one) => slips(heading, one) <= SLIPS_IN_HEADING || plain(key).includes(one),
  );
  if (whole !== undefined) return guardingRowsBelow(whole, known);
  return speaksOfConsent(key, value) ? "any" : [];
}

function isRefusal(key: string, value: unknown): boolean {
  return value === false || /^(?:dis|block|deny|no[A-Z])/.test(key.split(".").at(-1)!);
}

/** Of `sandbox` and `secrets`; fewer than in any other pair of words in use. */
const SLIPS_IN_HEADING = 2;
/** Of a key, all its parts together. */
const SLIPS_IN_KEY = 2;
/** A last part of at least so many letters says by itself what is meant, even with slips in it. */
const TELLING_LETTERS = 8;

/** With the rows below each that decide over consent or confine. */
export function headingsThatGuard(known: KnownRows): Map<string, GuardingRow[]> {
  const headings = new Map<string, GuardingRow[]>();
  for (const one of guardingRows(known)) {
    const { key, row } = one;
    if (row.guards.kind === "tool" || !key.includes(".")) continue;
    const heading = key.slice(0, key.indexOf("."));
    headings.set(heading, [...(headings.get(heading) ?? []), one]);
  }
  return headings;
}

/** Headings below which nothing stands but what confines. */
function headingsThatConfine(known: KnownRows): string[] {
  const keys = known.keys();
  return [...headingsThatGuard(known).keys()].filter((heading) =>
    keys
      .filter((key) => key.startsWith(`${heading}.`))
      .every((key) => known.row(key)!.guards?.kind === "confinement"),
  );
}

function isNear(word: string, { key, row }: GuardingRow, known: KnownRows): boolean {
  if (word.startsWith(`${key}.`)) return true;
  // A heading too many: `tools.bash.enabled`.
  if (key.includes(".") && word.endsWith(`.${key}`)) return true;
  const [given, wanted] = [word.split("."), key.split(".")];
  if (given.length === wanted.length) {
    const counts = wanted.map((part, at) => slips(given[at]!, part));
    // In each part no more than a third may be wrong: `lsp.enabled` is not `ssh.enabled`.
    const isEach = counts.every((count, at) => count <= Math.floor(wanted[at]!.length / 3));
    if (isEach && sum(counts) <= SLIPS_IN_KEY) return true;
  }
  if (given.length !== wanted.length && slips(word, key) <= SLIPS_IN_KEY) return true;
  const last = wanted.at(-1)!;
  const isShared = known
    .keys()
    .some((one) => one.split(".").at(-1) === last && !isGuarding(known.row(one)!));
  // Beyond these, asking or the strictest value would come too often by accident.
  if (isShared || row.guards.kind === "tool" || AMBIGUOUS.has(last)) return false;
  return slips(given.at(-1)!, last) <= (last.length < TELLING_LETTERS ? 0 : SLIPS_IN_KEY);
}

/** Last parts that say nothing without what stands before them. */
const AMBIGUOUS: ReadonlySet<string> = new Set(["mode", "enabled"]);

function slips(given: string, wanted: string): number {
  return editDistance(plain(given), plain(wanted));
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, one) => all + one, 0);
}

/** Deeper than any setting is; what was meant stands above it. */
const MAX_DEPTH = 4;

function pathsOf(key: string, value: unknown, depth = 0): string[] {
  if (!isRecord(value) || depth === MAX_DEPTH) return [key];
  const below = Object.entries(value).flatMap(([part, one]) =>
    pathsOf(`${key}.${part}`, one, depth + 1),
  );
  return [key, ...below];
}

/**
 * `permissions: {deny: […]}`, `tools: {bash: deny}`: words of consent, not where Tau has them. Rules that
 * are indented too far end up inside of the value above them.
 */
export function speaksOfConsent(key: string, value: unknown): boolean {
  const isAboutTools = /^(?:tool|approv|permission|consent)/i.test(key);
  const isWord = (word: string): boolean =>
    /^(?:deny|always-ask)$|(?:^|[-'"])\s*(?:deny|prompt)\s+\S/i.test(word.trim()) ||
    (isAboutTools && /^(?:prompt|ask)$/i.test(word.trim()));
  const inside = (one: unknown, depth: number): boolean => {
    if (typeof one === "string") return isWord(one);
    if (typeof one !== "object" || one === null || depth === MAX_DEPTH) return false;
    const names = Array.isArray(one) ? [] : Object.keys(one);
    const isRefused = Object.entries(one).some((entry) => refuses(entry, isAboutTools));
    if (isRefused || names.some(isWord)) return true;
    return Object.values(one).some((each) => inside(each, depth + 1));
  };
  const last = key.split(".").at(-1)!;
  return isWord(key) || isWord(last) || refuses([last, value], isAboutTools) || inside(value, 0);
}

/** `disallowedTools: [Bash]`; below `tools` also `disallowed: [Bash]`. An empty list refuses nothing. */
function refuses([name, value]: [string, unknown], isAboutTools: boolean): boolean {
  const isEmpty = typeof value === "object" && (value === null || Object.keys(value).length === 0);
  if (isEmpty || value === false) return false;
  const pattern = isAboutTools ? REFUSES_BELOW_TOOLS : REFUSES;
  return pattern.test(plain(name));
}

const REFUSES =
  /^(?:tools?|commands?|calls?)?(?:den(?:y|ied)|disallow(?:ed)?|block(?:ed)?|forbid(?:den)?|prohibit(?:ed)?)(?:list)?$|^(?:den(?:y|ied)|disallow(?:ed)?|block(?:ed)?|forbid(?:den)?|prohibit(?:ed)?|refused?|exclude[ds]?|disabled?)(?:tools?|commands?|calls?|bash|shell)(?:list)?$/;
const REFUSES_BELOW_TOOLS = new RegExp(
  `${REFUSES.source}|^(?:refused?|excluded?|disabled?)(?:list)?$`,
);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
