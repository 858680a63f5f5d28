// One place that settings come from: a file, the flags, the environment. What is wrong in a file
// is reported with its place and left out; everything else in it counts.

import { COMMAND } from "../brand.ts";
import { suggest } from "../cli/suggest.ts";
import type { ConfigProblem } from "../model/config-problem.ts";
import { migrationOf, pathIn, VERSION_KEY, withChange } from "./migrations.ts";
import type { SettingRow } from "./setting.ts";
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
}

/** How a layer's file is read: which rows there are, and which prefixes are maps of the user's own. */
export interface KnownRows {
  row(key: string): SettingRow | undefined;
  keys(): readonly string[];
}

export async function readLayer(
  name: LayerName,
  file: string,
  text: string,
  known: KnownRows,
): Promise<SettingsLayer> {
  const problems: ConfigProblem[] = [];
  const values = new Map<string, unknown>();
  const given = await parse(file, text, problems);
  if (given === undefined) return { name, source: file, values, problems };
  const prefixes = prefixesOf(known.keys());
  const { lineOf } = await import("./yaml-position.ts");
  const { [VERSION_KEY]: _version, ...data } = await current(file, text, given, problems);
  const visit = async (given: Record<string, unknown>, path: readonly string[]): Promise<void> => {
    for (const [part, value] of Object.entries(given)) {
      const at = [...path, part];
      const key = at.join(".");
      const row = known.row(key);
      const place = async () => {
        const line = await lineOf(text, at);
        return line === undefined ? { key } : { key, line };
      };
      if (!row) {
        if (prefixes.has(key) && isRecord(value)) await visit(value, at);
        else if (!prefixes.has(key) || value !== null) {
          problems.push({
            file,
            severity: "warning",
            message: unknownText(key, known),
            ...(await place()),
          });
        }
        continue;
      }
      // An empty value in a file is as good as none.
      if (value === null) continue;
      const fitted = fitValue(row, value);
      if (!fitted.ok) {
        problems.push({ file, severity: "error", message: fitted.why, ...(await place()) });
      } else if ((name === "project" || name === "family") && row.scope === "user") {
        const message = "a project may not set this; set it in your own settings";
        problems.push({ file, severity: "warning", message, ...(await place()) });
      } else values.set(key, fitted.value);
    }
  };
  await visit(data, []);
  return { name, source: file, values, problems };
}

/** In the words of now; what had others is said. */
async function current(
  file: string,
  text: string,
  given: Record<string, unknown>,
  problems: ConfigProblem[],
): Promise<Record<string, unknown>> {
  const { changes, isTooNew } = migrationOf(given);
  if (isTooNew) {
    const message = "is written for a later version; what this one does not know is left out";
    problems.push({ file, severity: "warning", message });
  }
  const { lineOf } = await import("./yaml-position.ts");
  let data = given;
  for (const change of changes) {
    const { old: key, why } = change;
    const line = await lineOf(text, pathIn(given, key) ?? [key]);
    const message = `${why}; \`${COMMAND} config migrate\` rewrites your file`;
    problems.push({ file, severity: "warning", key, line, message });
    data = withChange(data, change);
  }
  return data;
}

async function parse(
  file: string,
  text: string,
  problems: ConfigProblem[],
): Promise<Record<string, unknown> | undefined> {
  let data: unknown;
  try {
    data =
      file.endsWith(".json") || file.endsWith(".jsonc")
        ? Bun.JSONC.parse(text)
        : Bun.YAML.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    problems.push({ file, severity: "error", message });
    return undefined;
  }
  if (data === null || data === undefined) return {};
  if (isRecord(data)) return data;
  problems.push({
    file,
    severity: "error",
    message: "settings are names with values: `key: value`",
  });
  return undefined;
}

function unknownText(key: string, known: KnownRows): string {
  const near = suggest(key, known.keys());
  return near === undefined
    ? "there is no such setting"
    : `there is no such setting; did you mean ${near}?`;
}

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
