// The variables that outweigh settings, as a layer of settings on top of all files: so that
// `tau config` shows them where every other value is shown.

import type { Environment } from "@tau/ai/environment";
import type { ConfigProblem } from "../model/config-problem.ts";
import { VARIABLE_NAMES, variableRow, type VariableName } from "./environment-table.ts";
import { parseValue } from "./setting-value.ts";
import type { KnownRows, SettingsLayer } from "./settings-layer.ts";

/** Lowest first: one for each variable that is set, so that each is named where it counts. */
export function environmentLayers(env: Environment, known: KnownRows): SettingsLayer[] {
  return VARIABLE_NAMES.flatMap((name) => {
    const word = env[name];
    const target = settingOf(name, known);
    return !word || !target ? [] : [layerOf(name, word, target, known)];
  });
}

/** The variables that a setting can be outweighed by. */
export function variablesFor(key: string, known: KnownRows): VariableName[] {
  return VARIABLE_NAMES.filter((name) => settingOf(name, known)?.key === key);
}

interface Target {
  key: string;
  /** Of a map. */
  entry?: string;
}

function settingOf(name: VariableName, known: KnownRows): Target | undefined {
  const { setting } = variableRow(name);
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
  const problems: ConfigProblem[] = [];
  const values = new Map<string, unknown>();
  if (entry !== undefined) values.set(key, { [entry]: word });
  else {
    const parsed = parseValue(known.row(key)!, word);
    if (parsed.ok) values.set(key, parsed.value);
    else problems.push({ file: name, severity: "error", message: parsed.why });
  }
  return { name: "environment", source: name, values, problems };
}
