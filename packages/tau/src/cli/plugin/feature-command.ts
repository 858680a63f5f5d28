// What enabling an installed plugin or one of its features brings: shown, and asked about if it may run
// something.

import { realpath } from "node:fs/promises";
import { systemCode } from "@tau/host/storage-error";
import { writeOutput } from "../../base/output.ts";
import { KINDS } from "../../discovery/kinds.ts";
import { rootOf, type LockedPlugin } from "../../discovery/plugins/plugin-lock.ts";
import { BadManifest } from "../../discovery/plugins/plugin-manifest.ts";
import { LeadsOut } from "../../discovery/plugins/plugin-path.ts";
import { readPlugin } from "../../discovery/plugins/read-plugin.ts";
import { shownText } from "../../discovery/shown-text.ts";
import { describePlugin, type PluginItem } from "../../extend/plugins/describe-plugin.ts";
import { pluginInWords, runLines } from "../../extend/plugins/plugin-views.ts";
import type { PluginStore } from "../../extend/plugins/plugin-store.ts";
import { UserError } from "../../user-error.ts";
import { agreed } from "./agreed.ts";
import type { PluginCommand } from "./plugin-place.ts";

/** All of it, as it is installed. Rejects with `UserError` if nobody agrees. */
export async function agreeToPlugin(
  command: PluginCommand,
  { store, plugin }: { store: PluginStore; plugin: LockedPlugin },
): Promise<void> {
  const { name, features } = plugin;
  const { contents, description } = await contentsWith(plugin, store, features);
  if (!command.isJson) {
    await writeOutput(`${pluginInWords({ name, contents, description }, command.style)}\n`);
  }
  const isRunning = description.items.some(({ runs }) => runs.length > 0);
  if (isRunning) await agreed(command, `Enable ${name}?`, "enabled");
}

/** Rejects with `UserError` if nobody agrees. */
export async function agreeToFeatures(
  command: PluginCommand,
  { store, plugin }: { store: PluginStore; plugin: LockedPlugin },
  wanted: readonly string[],
): Promise<void> {
  const before = await contentsWith(plugin, store, plugin.features);
  const known = new Set(before.description.items.map(keyOf));
  const after = await contentsWith(plugin, store, [...plugin.features, ...wanted]);
  const added = after.description.items.filter((item) => !known.has(keyOf(item)));
  const running = added.filter((item) => item.runs.length > 0);
  const what = `${wanted.join(", ")} of ${plugin.name}`;
  if (!command.isJson) {
    const brings = added.map(({ kind, name }) => `  ${KINDS[kind].one} ${shownText(name)}`);
    const runs = running.flatMap(runLines);
    const { bold } = command.style;
    const lines = [bold(shownText(what)), "", bold("It brings"), ...orNothing(brings)];
    lines.push("", bold("It may run"), ...orNothing(runs), "");
    await writeOutput(`${lines.join("\n")}\n`);
  }
  if (running.length > 0) await agreed(command, `Enable ${what}?`, "enabled");
}

async function contentsWith(plugin: LockedPlugin, store: PluginStore, features: readonly string[]) {
  const { name, only } = plugin;
  try {
    const root = await realpath(rootOf(plugin, store.place) ?? "");
    const contents = await readPlugin(root, { features, only });
    return { contents, description: await describePlugin(name, root, contents) };
  } catch (error) {
    if (systemCode(error) !== undefined) {
      throw new UserError(`the files of ${name} are gone; tau plugin install fetches them`);
    }
    if (!(error instanceof BadManifest) && !(error instanceof LeadsOut)) throw error;
    throw new UserError(`${name}: ${error.message}; nothing was enabled`);
  }
}

/** With what it runs: a feature may put another file in the place of one of the same name. */
function keyOf({ kind, name, path, runs }: PluginItem): string {
  return JSON.stringify([kind, name, path, runs]);
}

function orNothing(lines: readonly string[]): readonly string[] {
  return lines.length > 0 ? lines : ["  nothing"];
}
