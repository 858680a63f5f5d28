// `tau plugin install` without a name: what the lockfiles name and is not there, as after a clone. Where it would
// come from is asked about before anything is fetched, what it brings before it is installed.

import { dirname } from "node:path";
import { writeError, writeOutput } from "../../base/output.ts";
import type { LockedPlugin } from "../../discovery/plugins/plugin-lock.ts";
import { padded, shownJson, shownText } from "../../discovery/shown-text.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { parseSource } from "../../extend/plugins/plugin-source.ts";
import type { PluginStore } from "../../extend/plugins/plugin-store.ts";
import { pluginInWords } from "../../extend/plugins/plugin-views.ts";
import { preparePlugin } from "../../extend/plugins/prepare-plugin.ts";
import {
  lockedSource,
  missingPlugins,
  restorePlugin,
} from "../../extend/plugins/restore-plugin.ts";
import { UserError } from "../../user-error.ts";
import { agreed } from "./agreed.ts";
import { lookedAt, type PluginCommand } from "./plugin-place.ts";

const NAME_COLUMNS = 28;

interface Missing {
  store: PluginStore;
  plugin: LockedPlugin;
}

export async function restore(command: PluginCommand): Promise<ExitCode> {
  const { isJson } = command;
  const missing = await allMissing(command);
  if (missing.length === 0) {
    await writeOutput(isJson ? "[]\n" : "Everything that is in the lockfile is installed.\n");
    return EXIT.done;
  }
  if (!isJson) {
    await writeOutput("In the lockfile, and not installed as it was:\n");
    for (const { plugin, store } of missing) await writeOutput(`  ${lineOf(plugin, store)}\n`);
  }
  await agreed(command, "Fetch them?", "fetched");
  const restored: string[] = [];
  for (const { store, plugin } of missing) {
    try {
      await restoreOne(command, { store, plugin });
      restored.push(plugin.name);
    } catch (error) {
      // One that is gone from the web does not keep the others away.
      if (!(error instanceof UserError) || missing.length === 1) throw error;
      writeError(`tau: ${shownText(error.message)}\n`);
    }
  }
  if (isJson) await writeOutput(`${shownJson(restored)}\n`);
  return restored.length === missing.length ? EXIT.done : EXIT.failed;
}

async function allMissing({ stores, isProject, only }: PluginCommand): Promise<Missing[]> {
  const found: Missing[] = [];
  for (const store of stores) {
    if (isProject && store.place.level !== "project") continue;
    // What cannot be read is said.
    await lookedAt(store);
    for (const plugin of await missingPlugins(store)) {
      if (only === undefined || plugin.only === only) found.push({ store, plugin });
    }
  }
  return found;
}

async function restoreOne(command: PluginCommand, { store, plugin }: Missing): Promise<void> {
  const { cwd, env, markets, isJson, style } = command;
  const known = new Set((await markets.all()).map(({ name }) => name));
  const { features, only, name } = plugin;
  const unknown = /@([\w.-]+)$/.exec(plugin.source)?.[1];
  if (plugin.market !== undefined && unknown !== undefined && !known.has(unknown)) {
    throw new UserError(
      `${name} is from a marketplace that you have not added: tau plugin marketplace add ${plugin.market}`,
    );
  }
  const projectRoot = dirname(dirname(store.place.directory));
  const given = parseSource(plugin.source, { cwd, env, markets: known });
  const source = await lockedSource(given, plugin, { place: store.place, projectRoot });
  await using staging = await store.stage();
  const place = { ...command, staging: staging.path, only, features: undefined };
  const prepared = await preparePlugin(source, { ...place, features, locked: plugin });
  if (!isJson) await writeOutput(`\n${pluginInWords(prepared, style)}`);
  await agreed(command, `Install ${name}?`);
  await restorePlugin(prepared, plugin, { ...place, store });
  const { level } = store.place;
  if (!isJson) await writeOutput(`\nInstalled ${shownText(lineOf(plugin))} again (${level}).\n`);
}

function lineOf({ name, version, resolved, source }: LockedPlugin, store?: PluginStore): string {
  const about = version ?? resolved?.slice(0, 12) ?? "";
  if (!store) return `${name} ${about}`.trimEnd();
  const column = padded(shownText(name, NAME_COLUMNS), NAME_COLUMNS);
  const scope = store.place.level === "project" ? "  project" : "";
  return `${column} ${shownText(`${about}${scope}  ${source}`)}`;
}
