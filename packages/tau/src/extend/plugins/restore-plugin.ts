// What a lockfile names and is not there, as after a clone: exactly that is fetched again, the same version or
// commit, the same packages, the same files to the last byte, or nothing. The lockfile stays as it is.

import { realpath } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { systemCode } from "@tau/host/storage-error";
import { isBelow } from "../../base/is-below.ts";
import { LeadsOut } from "../../discovery/plugins/plugin-path.ts";
import { rootOf, type LockedPlugin } from "../../discovery/plugins/plugin-lock.ts";
import { UserError } from "../../user-error.ts";
import { installDependencies } from "./install-dependencies.ts";
import type { InstallPlace } from "./install-plugin.ts";
import type { PluginSource } from "./plugin-source.ts";
import type { PluginStore } from "./plugin-store.ts";
import type { PreparedPlugin } from "./prepare-plugin.ts";
import { treeIntegrity } from "./tree-integrity.ts";

/** Those whose files are not there, or not as they were installed. */
export async function missingPlugins(store: PluginStore): Promise<LockedPlugin[]> {
  const missing: LockedPlugin[] = [];
  for (const plugin of (await store.look()).plugins) {
    if (plugin.link === undefined && !(await isWhole(plugin, store))) missing.push(plugin);
  }
  return missing;
}

async function isWhole(plugin: LockedPlugin, { place }: PluginStore): Promise<boolean> {
  try {
    return (await treeIntegrity(rootOf(plugin, place) ?? "")) === plugin.integrity;
  } catch (error) {
    if (!(error instanceof UserError) && systemCode(error) === undefined) throw error;
    return false;
  }
}

/** The source with what it was then: a version, a commit. Rejects with `UserError`. */
export async function lockedSource(
  source: PluginSource,
  plugin: LockedPlugin,
  { place, projectRoot }: { place: PluginStore["place"]; projectRoot: string },
): Promise<PluginSource> {
  const path = source.type === "directory" ? source.path : localTarball(source);
  if (path === undefined || place.level === "user") return exactSource(source, plugin);
  const real = await realpath(path).catch(() => undefined);
  // Anybody can write a path into a project's lockfile.
  if (real !== undefined && isBelow(real, await realpath(projectRoot))) return source;
  throw new UserError(
    `${plugin.name} was installed from a directory of another machine (${path}); install it from where it is now`,
  );
}

/** Also for what an entry of a marketplace leads to. */
export function exactSource<S extends PluginSource>(source: S, plugin: LockedPlugin): S {
  const { resolved, registryIntegrity: integrity } = plugin;
  if (source.type === "npm") return { ...source, range: resolved, integrity };
  return source.type === "git" ? { ...source, sha: resolved } : source;
}

function localTarball(source: PluginSource): string | undefined {
  return source.type === "tarball" && isAbsolute(source.from) ? source.from : undefined;
}

/** Rejects with `UserError` if it is not, to the last byte, what the lockfile has. */
export async function restorePlugin(
  prepared: PreparedPlugin,
  plugin: LockedPlugin,
  place: InstallPlace,
): Promise<void> {
  const { name, packages: locked, only, integrity } = plugin;
  const { root } = prepared.fetched;
  const changed = new UserError(
    `${name}: what its source has now is not what the lockfile has; nothing was installed`,
  );
  if (prepared.name !== name || integrity === undefined) throw changed;
  try {
    if (only === undefined && prepared.contents.hasDependencies) {
      await installDependencies(root, { ...place, locked: locked ?? {} });
    }
    if ((await treeIntegrity(root)) !== integrity) throw changed;
  } catch (error) {
    if (error === changed) throw error;
    if (error instanceof UserError || error instanceof LeadsOut) {
      throw new UserError(`${name}: ${error.message}`);
    }
    throw error;
  }
  await place.store.putBack(plugin, root);
}
