// What every verb of `tau plugin` works with: the command line, the stores and the marketplaces.

import { isTerminal } from "../../base/is-terminal.ts";
import { writeError } from "../../base/output.ts";
import { styleFor, type Style } from "../../base/style.ts";
import { currentDirectory } from "../../base/working-directory.ts";
import { Marketplaces } from "../../extend/plugins/marketplaces.ts";
import { pluginStores, storeFor, type PluginStore } from "../../extend/plugins/plugin-store.ts";
import type { LockedPlugin } from "../../discovery/plugins/plugin-lock.ts";
import { shownText } from "../../discovery/shown-text.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { suggest } from "../../base/suggest.ts";
import { UserError } from "../../user-error.ts";

export interface PluginCommand {
  cwd: string;
  env: Record<string, string | undefined>;
  signal: AbortSignal;
  /** Where something new is installed. */
  store: PluginStore;
  stores: readonly PluginStore[];
  markets: Marketplaces;
  isJson: boolean;
  /** Nobody is to be asked. */
  isAgreed: boolean;
  features: readonly string[] | undefined;
  /** Only of the project. */
  isProject: boolean;
  only?: "skills";
  style: Style;
}

export async function pluginCommand(
  { flags, repeated }: ParsedArgs,
  only?: "skills",
): Promise<PluginCommand> {
  const cwd = currentDirectory();
  const { env } = process;
  const { signal } = new AbortController();
  const isProject = flags.project === true;
  const given = repeated?.feature ?? [];
  return {
    cwd,
    env,
    signal,
    isProject,
    only,
    store: await storeFor(isProject ? "project" : "user", { cwd, env }),
    stores: await pluginStores({ cwd, env }),
    markets: await Marketplaces.open({ cwd, env, signal }),
    isJson: flags.json === true,
    isAgreed: flags.yes === true,
    features: given.length > 0 ? given : undefined,
    style: styleFor(process.stdout, isTerminal(1) ? env : { NO_COLOR: "1" }),
  };
}

/** Also what cannot be read is said, and stops nothing. */
export async function lookedAt(store: PluginStore): Promise<readonly LockedPlugin[]> {
  const { plugins, notice } = await store.look();
  if (notice !== undefined) writeError(`tau: ${shownText(notice)}; it is ignored\n`);
  return plugins;
}

/** The user's before the project's: those are theirs to change. */
export async function installedNamed(
  { stores, isProject, only }: PluginCommand,
  name: string,
): Promise<{ store: PluginStore; plugin: LockedPlugin }> {
  const names: string[] = [];
  for (const store of stores.toReversed()) {
    if (isProject && store.place.level !== "project") continue;
    const plugins = (await store.plugins()).filter(
      (one) => only === undefined || one.only === only,
    );
    const plugin = plugins.find((one) => one.name === name);
    if (plugin) return { store, plugin };
    names.push(...plugins.map((one) => one.name));
  }
  const near = suggest(name, names);
  const what = only === "skills" ? "package of skills" : "plugin";
  throw new UserError(
    near === undefined
      ? `there is no ${what} ${name} installed`
      : `there is no ${what} ${name} installed; did you mean ${near}?`,
  );
}
