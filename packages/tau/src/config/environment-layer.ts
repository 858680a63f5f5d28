// The variables that outweigh settings, as a layer of settings on top of all files: so that
// `tau config` shows them where every other value is shown.

import type { Environment } from "@tau/ai/environment";
import type { ConfigProblem } from "../base/config-problem.ts";
import type { VariableName } from "./environment-table.ts";
import { isGuarding } from "./guarding-rows.ts";
import { LayerLosses } from "./layer-losses.ts";
import { parseValue } from "./setting-value.ts";
import type { KnownRows, SettingsLayer } from "./settings-layer.ts";

/** Lowest first: one for each variable that is set, so that each is named where it counts. */
export function environmentLayers(env: Environment, known: KnownRows): SettingsLayer[] {
  return known.variables.names.flatMap((name) => {
    const word = env[name];
    const target = settingOf(name, known);
    return !word || !target ? [] : [layerOf(name, word, target, known)];
  });
}

/** The variables that a setting can be outweighed by. */
export function variablesFor(key: string, known: KnownRows): VariableName[] {
  return known.variables.names.filter((name) => settingOf(name, known)?.key === key);
}

interface Target {
  key: string;
  /** Of a map. */
  entry?: string;
}

function settingOf(name: VariableName, known: KnownRows): Target | undefined {
  const setting = known.variables.row(name)?.setting;
  if (setting === undefined) return undefined;
  if (known.row(setting)) return { key: setting };
  const at = setting.lastIndexOf(".");
  return { key: setting.slice(0, at), entry: setting.slice(at + 1) };
}

function layerOf(
  name: VariableName,
  word: string,
  { key, entry }: Target,
  known: KnownRows,
): SettingsLayer {
  const layer = { name: "environment", source: name } as const;
  if (entry !== undefined) {
    return { ...layer, values: new Map([[key, { [entry]: word }]]), problems: [] };
  }
  const row = known.row(key)!;
  const parsed = parseValue(row, word);
  if (parsed.ok) return { ...layer, values: new Map([[key, parsed.value]]), problems: [] };
  const problem: ConfigProblem = { file: name, severity: "error", message: parsed.why };
  if (!isGuarding(row)) return { ...layer, values: new Map(), problems: [problem] };
  const problems: ConfigProblem[] = [];
  const losses = new LayerLosses(problems);
  losses.close([{ key, row }], problem);
  const values = new Map([...losses.closed].map(([one, { value }]) => [one, value]));
  const closed = new Map([...losses.closed].map(([one, { problem: why }]) => [one, why]));
  return { ...layer, values, problems, closed, lost: losses.lost };
}
