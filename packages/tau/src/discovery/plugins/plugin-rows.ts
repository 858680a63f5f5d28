// The rows of discovery that installed plugins bring: those that are enabled, of the project and of the user.

import { realpath } from "node:fs/promises";
import { systemCode } from "@tau/host/storage-error";
import { isBelow } from "../../base/is-below.ts";
import type { DiscoveryProblem } from "../item.ts";
import type { DiscoveryRow } from "../row.ts";
import type { PluginPart } from "./part-kinds.ts";
import { readPluginLock, rootOf, type LockedPlugin } from "./plugin-lock.ts";
import { BadManifest } from "./plugin-manifest.ts";
import { LeadsOut } from "./plugin-path.ts";
import { lockFileOf, pluginPlaces, type PluginPlace, type PluginSearch } from "./plugin-places.ts";

export interface PluginRows {
  rows: DiscoveryRow[];
  problems: DiscoveryProblem[];
}

export async function pluginRows(search: PluginSearch): Promise<PluginRows> {
  const found: PluginRows = { rows: [], problems: [] };
  for (const place of pluginPlaces(search)) {
    const { plugins, problem } = await readPluginLock(place);
    const file = lockFileOf(place);
    if (problem !== undefined) found.problems.push({ file, severity: "warning", message: problem });
    for (const plugin of plugins) {
      if (!plugin.isEnabled) continue;
      try {
        found.rows.push(...(await rowsOf(plugin, place)));
      } catch (error) {
        const isGone = systemCode(error) !== undefined;
        if (!isGone && !(error instanceof BadManifest) && !(error instanceof LeadsOut)) throw error;
        const why = isGone
          ? "its files are gone; tau plugin install fetches them"
          : (error as Error).message;
        const message = `the plugin ${plugin.name} is left out: ${why}`;
        found.problems.push({ file, severity: "warning", message });
      }
    }
  }
  return found;
}

async function rowsOf(plugin: LockedPlugin, place: PluginPlace): Promise<DiscoveryRow[]> {
  const given = rootOf(plugin, place);
  if (given === undefined) return [];
  const root = await realpath(given);
  // A link in the place of a directory would bring what nobody has installed.
  if (plugin.directory !== undefined && !isBelow(root, await realpath(place.directory))) {
    throw new LeadsOut("its directory leads elsewhere");
  }
  const parts = await partsOf(plugin, root, place);
  const { level } = place;
  const { name, settings } = plugin;
  return parts.map(({ patterns, isNamespace, ...part }) => ({
    ...part,
    source: "plugin",
    user: level === "user" ? patterns : undefined,
    project: level === "project" ? patterns : undefined,
    plugin: { name, root, level, isNamespace, settings },
  }));
}

/** A project's lockfile comes from strangers: there it is the plugin that says what it brings. */
async function partsOf(
  plugin: LockedPlugin,
  root: string,
  { level }: PluginPlace,
): Promise<readonly PluginPart[]> {
  const { features, only, link, parts } = plugin;
  if (parts && level === "user" && link === undefined) return parts.found;
  const { readPlugin } = await import("./read-plugin.ts");
  return (await readPlugin(root, { features, only })).parts;
}
