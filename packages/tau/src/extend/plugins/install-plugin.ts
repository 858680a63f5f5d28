// Installs what was prepared and agreed to: its packages, then its files in their place, then the lockfile.

import type { Environment } from "@tau/ai/environment";
import type { LockedPlugin } from "../../discovery/plugins/plugin-lock.ts";
import { partsThere } from "../../discovery/plugins/locked-parts.ts";
import { LeadsOut } from "../../discovery/plugins/plugin-path.ts";
import { readPlugin } from "../../discovery/plugins/read-plugin.ts";
import { UserError } from "../../user-error.ts";
import { installDependencies } from "./install-dependencies.ts";
import { sourceText } from "./plugin-source.ts";
import type { PluginStore } from "./plugin-store.ts";
import type { PreparedPlugin } from "./prepare-plugin.ts";
import { treeIntegrity } from "./tree-integrity.ts";

export interface InstallPlace {
  store: PluginStore;
  staging: string;
  env: Environment;
  signal: AbortSignal;
  only?: "skills";
  features?: readonly string[];
}

export async function installPlugin(
  prepared: PreparedPlugin,
  place: InstallPlace,
): Promise<LockedPlugin> {
  const { store, only } = place;
  const { name, source, fetched, contents, market } = prepared;
  const { root, resolved, registryIntegrity } = fetched;
  try {
    const packages =
      only === undefined && contents.hasDependencies
        ? await installDependencies(root, place)
        : undefined;
    const before = await store.find(name);
    const defaults = contents.features.filter((one) => one.isDefault).map((one) => one.name);
    const known = new Set(contents.features.map((one) => one.name));
    const features = place.features ?? before?.features.filter((one) => known.has(one)) ?? defaults;
    const { parts } = await readPlugin(root, { features, only });
    return await store.put(
      {
        name,
        source: sourceText(source),
        market,
        version: contents.version,
        resolved,
        registryIntegrity,
        integrity: await treeIntegrity(root),
        installedAt: new Date().toISOString(),
        isEnabled: before?.isEnabled ?? true,
        features,
        settings: before?.settings ?? {},
        only,
        packages,
        parts: await partsThere(root, parts),
      },
      root,
    );
  } catch (error) {
    // Its packages are there only now, and a link may lead to them.
    if (error instanceof UserError || error instanceof LeadsOut) {
      throw new UserError(`${name}: ${error.message}`);
    }
    throw error;
  }
}
