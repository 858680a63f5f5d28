// The settings of one start: the user's file, files named on the command line on top of it, and the
// environment on top of all. Where there are none, nothing is read and the table is not even loaded.

import { join, resolve } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { EXIT } from "../exit-code.ts";
import { describeProblem, type ConfigProblem } from "../base/config-problem.ts";
import { UserError } from "../user-error.ts";
import { agentDirectory, expandHome, homeOf } from "./places.ts";
import { Settings } from "./settings.ts";
import type { KnownRows, LayerName, SettingsLayer } from "./settings-layer.ts";
import { isThere, readSettingsText } from "./settings-text.ts";

export interface OpenSettingsOptions {
  env: Environment;
  cwd: string;
  /** The settings file of a project that the user trusts. */
  projectFile?: string;
  /** The hash (SHA-256) of what the user trusts in it: nothing else is taken. */
  projectHash?: string;
  /** Files on top of the user's own, the last one winning. A mistake in one is fatal. */
  overlays?: readonly string[];
  /** The rows that there are; asked for only if there is something to read. */
  table: () => Promise<KnownRows>;
}

export function userSettingsFile(env: Environment): string {
  return join(agentDirectory(env), "config.yml");
}

export async function openSettings(options: OpenSettingsOptions): Promise<Settings> {
  const { env, cwd, projectFile, projectHash, overlays = [], table } = options;
  const user = userSettingsFile(env);
  const layers: SettingsLayer[] = [];
  if (isThere(user)) layers.push(await read("user", user, table));
  const family = familySettingsFile(env);
  if (isThere(family) && !leavesAlone(layers[0], "omp")) {
    layers.unshift(ofFamily(await read("family", family, table)));
  }
  if (projectFile !== undefined) {
    layers.push(await read("project", projectFile, table, projectHash));
  }
  for (const given of overlays) {
    const file = resolve(cwd, expandHome(given, env));
    if (!isThere(file)) throw new UserError(`there is no settings file ${given}`, EXIT.usage);
    const layer = await read("overlay", file, table);
    // Whoever names a file for one run means all of it.
    const [problem] = layer.problems;
    if (problem) throw new UserError(describeProblem(problem), EXIT.usage);
    layers.push(layer);
  }
  // Other names have become Tau's own by now.
  if (Object.keys(env).some((name) => name.startsWith("TAU_"))) {
    const { environmentLayers } = await import("./environment-layer.ts");
    layers.push(...environmentLayers(env, await table()));
  }
  return new Settings(layers);
}

/** Settings of the program whose users walk over, where it looks itself; words for Tau lie on top. */
function familySettingsFile(env: Environment): string {
  const moved = env.PI_CODING_AGENT_DIR;
  const directory = moved
    ? resolve(expandHome(moved, env))
    : join(homeOf(env), env.PI_CONFIG_DIR || ".omp", "agent");
  return join(directory, "config.yml");
}

/** What names models is for the providers that were set up there. */
const ABOUT_MODELS = /^(?:model|enabledModels|disabledProviders|retry\.fallbackChains)/;

function leavesAlone(user: SettingsLayer | undefined, source: string): boolean {
  const disabled = user?.values.get("disabledSources");
  return Array.isArray(disabled) && disabled.includes(source);
}

const REMEDY = "(or ignore that file: `disabledSources: [omp]` in your own settings)";

/**
 * What means the same here; of what guards, only what is stricter. Its mistakes are not Tau's to report,
 * unless a refusal may be lost by them.
 */
function ofFamily(layer: SettingsLayer): SettingsLayer {
  const values = [...layer.values].filter(([key]) => !ABOUT_MODELS.test(key));
  const told = (problem: ConfigProblem): ConfigProblem => ({
    ...problem,
    message: `${problem.message} ${REMEDY}`,
  });
  const closed = new Map([...(layer.closed ?? [])].map(([key, one]) => [key, told(one)]));
  const lost = (layer.lost ?? []).map((one) => ({ ...one, problem: told(one.problem) }));
  const kept = new Set([
    ...(layer.closed?.values() ?? []),
    ...(layer.lost ?? []).map(({ problem }) => problem),
  ]);
  return { ...layer, values: new Map(values), closed, lost, problems: [...kept].map(told) };
}

async function read(
  name: LayerName,
  file: string,
  table: () => Promise<KnownRows>,
  hash?: string,
): Promise<SettingsLayer> {
  const [{ readLayer }, { unreadableLayer }, rows] = await Promise.all([
    import("./settings-layer.ts"),
    import("./layer-losses.ts"),
    table(),
  ]);
  const read = readSettingsText(file, { pipes: name === "overlay" ? "wait" : "refuse", hash });
  if (read.ok) return readLayer(name, file, read.text, rows);
  return unreadableLayer({ name, file, ...read }, rows);
}
