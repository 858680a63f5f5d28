// The settings of one start: the user's file, files named on the command line on top of it, and the
// environment on top of all. Where there are none, nothing is read and the table is not even loaded.

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { EXIT } from "../exit-code.ts";
import { describeProblem } from "../model/config-problem.ts";
import { UserError } from "../user-error.ts";
import { agentDirectory, expandHome, homeOf } from "./places.ts";
import { Settings } from "./settings.ts";
import type { LayerName, SettingsLayer } from "./settings-layer.ts";

export interface OpenSettingsOptions {
  env: Environment;
  cwd: string;
  /** The settings file of a project that the user trusts. */
  projectFile?: string;
  /** Files on top of the user's own, the last one winning. A mistake in one is fatal. */
  overlays?: readonly string[];
}

export function userSettingsFile(env: Environment): string {
  return join(agentDirectory(env), "config.yml");
}

export async function openSettings(options: OpenSettingsOptions): Promise<Settings> {
  const { env, cwd, projectFile, overlays = [] } = options;
  const user = userSettingsFile(env);
  const layers: SettingsLayer[] = [];
  if (existsSync(user)) layers.push(await read("user", user));
  const family = join(homeOf(env), FAMILY_FILE);
  if (existsSync(family) && !leavesAlone(layers[0], "omp")) {
    layers.unshift(ofFamily(await read("family", family)));
  }
  if (projectFile !== undefined) layers.push(await read("project", projectFile));
  for (const given of overlays) {
    const file = resolve(cwd, expandHome(given, env));
    if (!existsSync(file)) throw new UserError(`there is no settings file ${given}`, EXIT.usage);
    const layer = await read("overlay", file);
    // Whoever names a file for one run means all of it.
    const [problem] = layer.problems;
    if (problem) throw new UserError(describeProblem(problem), EXIT.usage);
    layers.push(layer);
  }
  // Other names have become Tau's own by now.
  if (Object.keys(env).some((name) => name.startsWith("TAU_"))) {
    const [{ environmentLayers }, { SETTINGS_TABLE }] = await Promise.all([
      import("./environment-layer.ts"),
      import("./settings-table.ts"),
    ]);
    layers.push(...environmentLayers(env, SETTINGS_TABLE));
  }
  return new Settings(layers);
}

/** Settings of the program whose users walk over; the user's own words for Tau lie on top. */
const FAMILY_FILE = ".omp/agent/config.yml";
/** What names models is for the providers that were set up there. */
const ABOUT_MODELS = /^(?:model|enabledModels|disabledProviders|retry\.fallbackChains)/;

function leavesAlone(user: SettingsLayer | undefined, source: string): boolean {
  const disabled = user?.values.get("disabledSources");
  return Array.isArray(disabled) && disabled.includes(source);
}

/** What means the same here and decides nothing about consent. Its mistakes are not Tau's to report. */
function ofFamily(layer: SettingsLayer): SettingsLayer {
  const values = [...layer.values].filter(([key]) => !ABOUT_MODELS.test(key));
  return { ...layer, values: new Map(values), problems: [] };
}

async function read(name: LayerName, file: string): Promise<SettingsLayer> {
  const [{ readLayer }, { SETTINGS_TABLE }] = await Promise.all([
    import("./settings-layer.ts"),
    import("./settings-table.ts"),
  ]);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code !== "string") throw error;
    const message = code === "EISDIR" ? "is a directory" : `cannot be read (${code})`;
    const problems = [{ file, message, severity: "error" as const }];
    return { name, source: file, values: new Map(), problems };
  }
  return readLayer(name, file, text, SETTINGS_TABLE);
}
