// A setting in words, for the settings screen: its value on one line, what values it takes,
// and who gave the one that holds.

import type { SettingRow } from "../../../config/setting.ts";
import type { LayerName } from "../../../config/settings-layer.ts";
import { COMMAND } from "../../../brand.ts";

export const LAYER_WORDS: Readonly<Record<LayerName, string>> = {
  user: "yours",
  project: "project",
  overlay: "given file",
  family: "another tool",
  environment: "environment",
  flag: "flag",
};

export function valueInWords(row: SettingRow, value: unknown): string {
  if (row.type === "boolean") return value === true ? "on" : "off";
  if (row.type === "list" && Array.isArray(value)) return counted(value.length, "entry", "entries");
  if (row.type === "record" && typeof value === "object" && value !== null) {
    return counted(Object.keys(value).length, "entry", "entries");
  }
  if (value === "") return "not set";
  const unit = row.type === "number" && row.unit !== undefined ? ` ${row.unit}` : "";
  return `${typeof value === "string" ? value : JSON.stringify(value)}${unit}`;
}

export function kindInWords(row: SettingRow): string {
  switch (row.type) {
    case "boolean":
      return "on or off";
    case "enum":
      return row.values.join(", ");
    case "number": {
      const { min, max, unit } = row;
      const range = [
        min === undefined ? "" : `from ${min}`,
        max === undefined ? "" : `up to ${max}`,
      ];
      return ["a number", ...range, unit ?? ""].filter(Boolean).join(" ");
    }
    case "text":
      return "text";
    case "list":
      return "a list";
    case "record":
      return "a map of names to values";
  }
}

/** How to change what a line of text cannot hold. */
export function commandFor(key: string, row: SettingRow): string {
  const form = row.type === "list" ? `'["…"]'` : `'{"…": "…"}'`;
  return `${COMMAND} config set ${key} ${form}`;
}

function counted(count: number, one: string, many: string): string {
  return count === 0 ? "none" : `${count} ${count === 1 ? one : many}`;
}
