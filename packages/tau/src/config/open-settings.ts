// The settings of one start: the user's file, files named on the command line on top of it, and the
// environment on top of all. Where there are none, nothing is read and the table is not even loaded.

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { EXIT } from "../exit-code.ts";
import { describeProblem } from "../model/config-problem.ts";
import { UserError } from "../user-error.ts";
import { agentDirectory, expandHome } from "./places.ts";
import { Settings } from "./settings.ts";
import type { SettingsLayer } from "./settings-layer.ts";

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

async function read(name: "user" | "project" | "overlay", file: string): Promise<SettingsLayer> {
  const [{ readLayer }, { SETTINGS_TABLE }] = await Promise.all([
    import("./settings-layer.ts"),
    import("./settings-table.ts"),
  ]);
  return readLayer(name, file, readFileSync(file, "utf8"), SETTINGS_TABLE);
}
