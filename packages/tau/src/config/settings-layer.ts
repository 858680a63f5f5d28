// One place that settings come from: a file, the flags, the environment. What is wrong in a file
// is reported with its place and left out, and everything else in it counts. Rows that guard fail
// closed instead: see `layer-losses.ts`.

import { COMMAND } from "../brand.ts";
import { suggest } from "../base/suggest.ts";
import type { ConfigProblem, LostWord } from "../base/config-problem.ts";
import { foldUnknown } from "./fold-unknown.ts";
import {
  guardingRowsBelow,
  headingsThatGuard,
  isGuarding,
  rowsMeantBy,
  speaksOfConsent,
  type GuardingRow,
} from "./guarding-rows.ts";
import type { KnownVariables } from "./known-variables.ts";
import { LayerLosses, unreadableLayer } from "./layer-losses.ts";
import { migrationOf, pathIn, VERSION_KEY, withChange } from "./migrations.ts";
import { parseSettings } from "./parse-settings.ts";
import { missingBlank, type SettingRow } from "./setting.ts";
import { fitValue } from "./setting-value.ts";

/** `family`: the settings of the program whose users walk over. */
export type LayerName = "family" | "user" | "project" | "overlay" | "environment" | "flag";

export interface SettingsLayer {
  name: LayerName;
  /** The file, or what else it is from. */
  source: string;
  /** By dotted key. */
  values: ReadonlyMap<string, unknown>;
  problems: readonly ConfigProblem[];
  /** Keys whose value is not the user's word, but the strictest, because the word cannot be read. */
  closed?: ReadonlyMap<string, ConfigProblem>;
  /** What no value makes up for: the calls that it may have been about are asked about. */
  lost?: readonly LostWord[];
  /** Nothing of it could be read, for this reason. */
  unreadable?: ConfigProblem;
}

/** How a layer is read: which rows there are, and which variables outweigh them. */
export interface KnownRows {
  row(key: string): SettingRow | undefined;
  keys(): readonly string[];
  readonly variables: KnownVariables;
}

export async function readLayer(
  name: LayerName,
  file: string,
  text: string,
  known: KnownRows,
): Promise<SettingsLayer> {
  const parsed = await parseSettings(file, text);
  if (!parsed.ok) {
    const { message, line } = parsed;
    return unreadableLayer({ name, file, why: message, line, text }, known);
  }
  const reading = new LayerReading(name, file, text, known);
  return reading.layer(parsed.data);
}

class LayerReading {
  readonly #name: LayerName;
  readonly #file: string;
  readonly #text: string;
  readonly #known: KnownRows;
  readonly #prefixes: ReadonlySet<string>;
  readonly #values = new Map<string, unknown>();
  readonly #problems: ConfigProblem[] = [];
  readonly #losses: LayerLosses;
  /** Something in the file is not understood. */
  #isMisread = false;
  /** Settings that nobody knows, and that close nothing. */
  readonly #unknownOnes = new Set<ConfigProblem>();
  /** Lists and maps of consent with nothing in them. */
  readonly #empty: (GuardingRow & { at: readonly string[] })[] = [];

  constructor(name: LayerName, file: string, text: string, known: KnownRows) {
    this.#name = name;
    this.#file = file;
    this.#text = text;
    this.#known = known;
    this.#prefixes = prefixesOf(known.keys());
    this.#losses = new LayerLosses(this.#problems);
  }

  async layer(given: Record<string, unknown>): Promise<SettingsLayer> {
    const { [VERSION_KEY]: _version, ...data } = await this.#current(given);
    await this.#visit(data, []);
    if (this.#name !== "project" && this.#isMisread) {
      for (const { key, row, at } of this.#empty) {
        this.#losses.close([{ key, row }], await this.#problem("error", NO_VALUE.why, at));
      }
      this.#closeWhatIsSwallowed(data);
    }
    const { closed, lost } = this.#losses;
    // Last: beside a slip, a good value of the same row may not be the one that was meant.
    for (const [key, { value }] of closed) this.#values.set(key, value);
    return {
      name: this.#name,
      source: this.#file,
      values: this.#values,
      problems: foldUnknown(this.#problems, this.#unknownOnes),
      closed: new Map([...closed].map(([key, { problem }]) => [key, problem])),
      lost,
    };
  }

  async #visit(given: Record<string, unknown>, path: readonly string[]): Promise<void> {
    for (const [part, value] of Object.entries(given)) {
      const at = [...path, part];
      const key = at.join(".");
      const row = this.#known.row(key);
      if (row) await this.#take(row, key, value, at);
      else if (this.#prefixes.has(key) && isRecord(value)) await this.#visit(value, at);
      else if (!this.#prefixes.has(key) || value !== null) await this.#unknown(key, value, at);
    }
  }

  async #take(row: SettingRow, key: string, value: unknown, at: readonly string[]): Promise<void> {
    const guards = isGuarding(row);
    // An empty value is as good as none; if the row guards, it is one that got lost.
    if (value === null && (!guards || row.type === "text")) return;
    if (
      row.scope === "user" &&
      (this.#name === "project" || (this.#name === "family" && !guards))
    ) {
      const message = "a project may not set this; set it in your own settings";
      this.#problems.push(await this.#problem("warning", message, at));
      return;
    }
    if (value === null && mayBeEmpty(row)) {
      this.#empty.push({ key, row: row as GuardingRow["row"], at });
      return;
    }
    const fitted = value === null ? NO_VALUE : fitValue(row, value);
    const isSecond = guards && this.#values.has(key);
    if (!fitted.ok || isSecond) {
      this.#isMisread = true;
      const why = fitted.ok
        ? "is a duplicate key, once in dotted form"
        : withValue(fitted.why, row, value);
      const problem = await this.#problem("error", why, at);
      if (guards) this.#losses.close([{ key, row }], problem);
      else if (this.#name !== "project" && speaksOfConsent(key, value)) {
        this.#losses.lose({ calls: "any" }, problem);
      } else this.#problems.push(problem);
      return;
    }
    const taken =
      guards && this.#name === "family" ? onlyStricter(row, fitted.value) : fitted.value;
    if (taken === undefined) return;
    this.#values.set(key, taken);
    for (const part of (await row.guards?.check?.(taken)) ?? []) {
      this.#isMisread = true;
      this.#losses.lose(part, await this.#problem("error", part.message, [...at, ...part.path]));
    }
  }

  /** Nobody knows it; but it may have been a refusal with a slip in it. */
  async #unknown(key: string, value: unknown, at: readonly string[]): Promise<void> {
    this.#isMisread = true;
    const slip = value === null ? withoutBlank(key) : undefined;
    const name = slip?.name ?? key;
    const meant = this.#prefixes.has(name)
      ? guardingRowsBelow(name, this.#known)
      : rowsMeantBy(name, value, this.#known);
    const message = slip?.message ?? this.#unknownText(key, meant);
    // A project has no say in them, and another program's own names are not slips.
    const isNone = this.#name === "project" || (this.#name === "family" && meant === "any");
    if (isNone || meant.length === 0) {
      const problem = await this.#problem("warning", message, at);
      this.#problems.push(problem);
      this.#unknownOnes.add(problem);
    } else if (meant === "any") {
      this.#losses.lose({ calls: "any" }, await this.#problem("error", message, at));
    } else this.#losses.close(meant, await this.#problem("error", message, at));
  }

  #unknownText(key: string, meant: readonly GuardingRow[] | "any"): string {
    if (this.#prefixes.has(key)) return "expected names with values";
    const keys = meant === "any" ? [] : meant.map((one) => one.key);
    // Of a whole group the first row switches it on.
    const near = keys[0] ?? suggest(key, [...this.#known.keys(), ...this.#prefixes]);
    const isConsent = meant === "any" && near === undefined;
    const hint = isConsent ? CONSENT_IS_ELSEWHERE : near && `did you mean ${near}?`;
    return hint ? `there is no such setting (${hint})` : "there is no such setting";
  }

  /**
   * A line that is indented too far becomes a part of the value above it, and one that is not indented
   * a setting of its own. So if something here is not understood, an empty heading is one that lost
   * what was below it; and if words are lost, so may be a heading that the text has and the tree has not.
   */
  #closeWhatIsSwallowed(data: Record<string, unknown>): void {
    const { closed, lost } = this.#losses;
    const lines = this.#text.split("\n");
    for (const [heading, rows] of headingsThatGuard(this.#known)) {
      if (rows.some(({ key }) => this.#values.has(key) || closed.has(key))) continue;
      const isConfining = rows.every(({ row }) => row.guards.kind === "confinement");
      const isLost = isConfining && (closed.size > 0 || lost.length > 0);
      if (data[heading] !== null && !isLost) continue;
      const at = lines.findIndex((line) => !/^\s*#/.test(line) && line.includes(heading));
      if (at < 0) continue;
      const message = "nothing below this key is read";
      const problem = { file: this.#file, severity: "error" as const, key: heading, line: at + 1 };
      this.#losses.close(rows, { ...problem, message });
    }
  }

  async #problem(
    severity: ConfigProblem["severity"],
    message: string,
    at: readonly (string | number)[],
  ): Promise<ConfigProblem> {
    const { lineOf } = await import("./yaml-position.ts");
    const line = await lineOf(this.#text, at);
    return { file: this.#file, severity, message, key: at.join("."), line };
  }

  /** In the words of now; what had others is said. */
  async #current(given: Record<string, unknown>): Promise<Record<string, unknown>> {
    const [file, problems] = [this.#file, this.#problems];
    const { changes, isTooNew } = migrationOf(given);
    if (isTooNew) {
      const message = "is written for a later version; unknown settings are ignored";
      problems.push({ file, severity: "warning", message });
    }
    const { lineOf } = await import("./yaml-position.ts");
    let data = given;
    for (const change of changes) {
      const { old: key, why } = change;
      const line = await lineOf(this.#text, pathIn(given, key) ?? [key]);
      const message = `${why}; \`${COMMAND} config migrate\` rewrites your file`;
      problems.push({ file, severity: "warning", key, line, message });
      data = withChange(data, change);
    }
    return data;
  }
}

const NO_VALUE = {
  ok: false,
  why: "it has no value; remove the line if it should have none",
} as const;

/**
 * A list of rules that are all commented out is empty. It lost its entries only if something else in
 * the file is not understood.
 */
function mayBeEmpty({ type, guards }: SettingRow): boolean {
  return guards?.kind === "consent" && (type === "list" || type === "record");
}

/** Nobody's settings for another program may loosen what holds here. */
function onlyStricter(row: SettingRow & { guards: object }, value: unknown): unknown {
  const { stricter, closed } = row.guards as NonNullable<SettingRow["guards"]>;
  if (stricter) return stricter(value);
  return closed !== undefined && Bun.deepEquals(value, closed) ? value : undefined;
}

/** A word is worth repeating; what else stands there may be long. */
const MAX_REPEATED = 40;

function withValue(why: string, { type }: SettingRow, value: unknown): string {
  const isWord = type === "enum" && typeof value === "string" && value.length <= MAX_REPEATED;
  return isWord ? `${why}, not ${JSON.stringify(value)}` : why;
}

/** `{approvalMode:write}`, as a key with its dots. */
function withoutBlank(key: string): { name: string; message: string } | undefined {
  const [, name, word] = /^([^:]*[^:\s])\s*:\s*(\S.*)$/.exec(key) ?? [];
  if (name === undefined || word === undefined) return undefined;
  return { name, message: missingBlank(`${name.split(".").at(-1)}: ${word}`) };
}

const CONSENT_IS_ELSEWHERE =
  "approval is set in tools.approvalMode, tools.approval and tools.rules";

function prefixesOf(keys: readonly string[]): ReadonlySet<string> {
  const prefixes = new Set<string>();
  for (const key of keys) {
    const parts = key.split(".");
    for (let at = 1; at < parts.length; at++) prefixes.add(parts.slice(0, at).join("."));
  }
  return prefixes;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
