// Where plugins are installed, and the one file that says which of them count.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { pluginsDirectory, projectPluginsDirectory } from "../../config/places.ts";
import type { ItemLevel } from "../item.ts";

export const PLUGIN_LOCK = "plugins.json";

export interface PluginSearch {
  home: string;
  agentDirectory: string;
  /** The project's, without links. */
  root: string;
}

export interface PluginPlace {
  level: ItemLevel;
  directory: string;
  /** Of a project's: what its directory may not lead out of, without links. */
  within?: string;
}

/** The project's first: nearer beats farther. */
export function pluginPlaces(search: PluginSearch): PluginPlace[] {
  const user = pluginsDirectory(search);
  const project = projectPluginsDirectory(search.root);
  const own: PluginPlace = { level: "user", directory: user };
  // Whoever works in their home directory has not got everything twice.
  return project === user
    ? [own]
    : [{ level: "project", directory: project, within: search.root }, own];
}

export function lockFileOf({ directory }: Pick<PluginPlace, "directory">): string {
  return join(directory, PLUGIN_LOCK);
}

/** Costs two looks at the disk, at every search. */
export function hasPlugins(search: PluginSearch): boolean {
  return pluginPlaces(search).some((place) => existsSync(lockFileOf(place)));
}
