// What a plugin cannot know when it is written: where it is installed, and what its user has set.

import type { DiscoveredItem } from "../item.ts";

type Filling = NonNullable<DiscoveredItem["plugin"]>;

/** Deeper than any configuration; what is deeper stays as it is. */
const MAX_DEPTH = 16;
const WORDS = /\$\{(?:(?:CLAUDE_|TAU_)?PLUGIN_ROOT|user_config\.([\w-]+))\}/g;

/** In all texts of a value; a setting that nobody has set stays as it is written. */
export function fillPlugin(value: unknown, plugin: Filling, depth = 0): unknown {
  if (typeof value === "string") {
    return value.replace(WORDS, (word, key: string | undefined) => {
      if (key === undefined) return plugin.root;
      return Object.hasOwn(plugin.settings, key) ? plugin.settings[key]! : word;
    });
  }
  if (depth >= MAX_DEPTH || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => fillPlugin(one, plugin, depth + 1));
  const entries = Object.entries(value).map(([key, one]) => [
    key,
    fillPlugin(one, plugin, depth + 1),
  ]);
  return Object.fromEntries(entries);
}
