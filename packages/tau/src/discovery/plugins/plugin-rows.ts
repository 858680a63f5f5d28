// The rows of discovery that installed plugins bring: those that are enabled, of the project and of the user.

import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "@tau/host/storage-error";
import { isBelow } from "../../base/is-below.ts";
import type { DiscoveryProblem } from "../item.ts";
import type { DiscoveryRow } from "../row.ts";
import { readPluginLock, rootOf, type LockedPlugin } from "./plugin-lock.ts";
import { BadManifest } from "./plugin-manifest.ts";
import { LeadsOut } from "./plugin-path.ts";
import { lockFileOf, pluginPlaces, type PluginPlace, type PluginSearch } from "./plugin-places.ts";
import { readPlugin, type PluginContents } from "./read-plugin.ts";

export interface PluginRows {
  rows: DiscoveryRow[];
  problems: DiscoveryProblem[];
}

/** What is installed never changes in its place, so that it is read once in a process. */
const known = new Map<string, Promise<PluginContents>>();

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
        const why = isGone ? "its files are gone; see tau plugin doctor" : (error as Error).message;
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
  const { parts } = await contentsOf(plugin, root);
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

function contentsOf(plugin: LockedPlugin, root: string): Promise<PluginContents> {
  const { features, only, link, directory } = plugin;
  if (link !== undefined || directory === undefined) return readPlugin(root, { features, only });
  const key = [join(root, directory), only ?? "", ...features].join("\n");
  const before = known.get(key) ?? readPlugin(root, { features, only });
  known.set(key, before);
  before.catch(() => known.delete(key));
  return before;
}
