// The settings that hold: layers on top of one another, the last word winning; maps are joined,
// everything else is replaced. Where every value comes from stays known.

import type { ConfigProblem, LostWord } from "../base/config-problem.ts";
import type { SettingRow } from "./setting.ts";
import { keyOf, type GroupValues, type SettingGroup } from "./setting-group.ts";
import type { SettingsLayer } from "./settings-layer.ts";

export interface Explanation {
  value: unknown;
  /** Lowest first; the last one decides, and for maps all of them together. */
  given: GivenValue[];
}

export interface GivenValue {
  layer: SettingsLayer["name"];
  source: string;
  value: unknown;
  /** It is not what was said there, which cannot be read, but the strictest that could have been. */
  insteadOf?: ConfigProblem;
}

export class Settings {
  /** Lowest first. */
  readonly layers: readonly SettingsLayer[];

  constructor(layers: readonly SettingsLayer[] = []) {
    this.layers = layers;
  }

  get problems(): ConfigProblem[] {
    return this.layers.flatMap((layer) => layer.problems);
  }

  /** What was said and cannot be read, though it may have refused something. */
  get lost(): LostWord[] {
    return this.layers.flatMap((layer) => layer.lost ?? []);
  }

  get(key: string, row: SettingRow): unknown {
    return this.explain(key, row).value;
  }

  explain(key: string, row: SettingRow): Explanation {
    let { default: value }: { default: unknown } = row;
    const given: Explanation["given"] = [];
    for (const { name, source, values, closed } of this.layers) {
      if (!values.has(key)) continue;
      const own = values.get(key);
      const insteadOf = closed?.get(key);
      given.push({ layer: name, source, value: own, ...(insteadOf && { insteadOf }) });
      value = row.type === "record" ? merge(value, own) : own;
    }
    return { value, given };
  }

  group<G extends SettingGroup>(group: G): GroupValues<G> {
    const entries = Object.entries(group.rows).map(([name, row]) => [
      name,
      this.get(keyOf(group, name), row),
    ]);
    return Object.fromEntries(entries) as GroupValues<G>;
  }
}

function merge(below: unknown, above: unknown): unknown {
  if (!isRecord(below) || !isRecord(above)) return above;
  const merged: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(above)) merged[key] = merge(below[key], value);
  return merged;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
