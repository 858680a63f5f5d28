// The settings of one feature: rows by the last part of their keys, under a common beginning.

import type { SettingRow, ValueOf } from "./setting.ts";

export interface SettingGroup<R extends Rows = Rows> {
  /** What the keys begin with; empty where they stand at the top of the file. */
  readonly prefix: string;
  /** A heading for the reference. */
  readonly title: string;
  readonly rows: R;
}

export type Rows = Readonly<Record<string, SettingRow>>;

export type GroupValues<G extends SettingGroup> = {
  -readonly [K in keyof G["rows"]]: ValueOf<G["rows"][K]>;
};

export function settingGroup<const R extends Rows>(
  prefix: string,
  title: string,
  rows: R,
): SettingGroup<R> {
  return { prefix, title, rows };
}

export function keyOf({ prefix }: SettingGroup, name: string): string {
  return prefix === "" ? name : `${prefix}.${name}`;
}

export function defaultsOf<G extends SettingGroup>(group: G): GroupValues<G> {
  const entries = Object.entries(group.rows).map(([name, row]) => [name, row.default]);
  return Object.fromEntries(entries) as GroupValues<G>;
}
