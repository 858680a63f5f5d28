// Whether there could be hooks at all: a few looks at the disk, so that nothing is loaded if there are none.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { upwards } from "../../base/upwards.ts";
import { agentDirectory, homeOf } from "../../config/places.ts";
import { hasPlugins } from "../../discovery/plugins/plugin-places.ts";
import type { FeatureHost } from "../../feature-api/feature.ts";
import { HOOK_ROWS } from "./settings.ts";

/** Of other tools, in the home directory or a project's. */
export const HOOK_FILES = [
  join(".claude", "settings.json"),
  join(".claude", "settings.local.json"),
  join(".codex", "hooks.json"),
  join(".codex", "config.toml"),
];

export function mayHaveHooks({
  cwd,
  env,
  settings,
}: Pick<FeatureHost, "cwd" | "env" | "settings">): boolean {
  const { hooks } = settings.group(HOOK_ROWS);
  if (Object.keys(hooks).length > 0) return true;
  const places = { home: homeOf(env), agentDirectory: agentDirectory(env) };
  // Hooks of plugins stand in the plugins.
  if (upwards(cwd).some((root) => hasPlugins({ ...places, root }))) return true;
  return [homeOf(env), ...upwards(cwd)].some((directory) =>
    HOOK_FILES.some((file) => existsSync(join(directory, file))),
  );
}
