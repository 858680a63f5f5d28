// Whether what is installed is still what was installed, and whether it can work: files that are gone or
// changed, programs that are too old, names that two have.

import { realpath } from "node:fs/promises";
import { systemCode } from "@tau/host/storage-error";
import { VERSION } from "../../brand.ts";
import { KINDS } from "../../discovery/kinds.ts";
import { rootOf, type LockedPlugin } from "../../discovery/plugins/plugin-lock.ts";
import { BadManifest } from "../../discovery/plugins/plugin-manifest.ts";
import { LeadsOut } from "../../discovery/plugins/plugin-path.ts";
import { readPlugin } from "../../discovery/plugins/read-plugin.ts";
import { UserError } from "../../user-error.ts";
import { describePlugin } from "./describe-plugin.ts";
import type { PluginStore } from "./plugin-store.ts";
import { treeIntegrity } from "./tree-integrity.ts";

export interface Complaint {
  /** Absent if it is about none of them. */
  plugin?: string;
  message: string;
}

export async function examinePlugins(stores: readonly PluginStore[]): Promise<Complaint[]> {
  const complaints: Complaint[] = [];
  const owners = new Map<string, string>();
  for (const store of stores) {
    const { plugins, notice } = await store.look();
    if (notice !== undefined) complaints.push({ message: `${notice}; repair or remove it` });
    for (const plugin of plugins) {
      const tell = (message: string): unknown => complaints.push({ plugin: plugin.name, message });
      try {
        for (const message of await examined(plugin, store, owners)) tell(message);
      } catch (error) {
        const isKnown = [BadManifest, LeadsOut, UserError].some((one) => error instanceof one);
        if (!isKnown && systemCode(error) === undefined) throw error;
        tell(
          isKnown
            ? (error as Error).message
            : "its files are gone; tau plugin install fetches them",
        );
      }
    }
    // What a broken lockfile would name is not known.
    const left = notice === undefined ? await store.leftovers(plugins) : [];
    for (const path of left) {
      complaints.push({ message: `${path} belongs to no plugin; the next change removes it` });
    }
  }
  return complaints;
}

async function examined(
  plugin: LockedPlugin,
  store: PluginStore,
  owners: Map<string, string>,
): Promise<string[]> {
  const { name, only, features, settings, integrity, link } = plugin;
  const given = rootOf(plugin, store.place);
  if (given === undefined) return ["a project's plugin cannot be linked; install it"];
  const root = await realpath(given);
  const found: string[] = [];
  if (link === undefined && integrity !== (await treeIntegrity(root))) {
    found.push("its files are not as they were installed; install it again");
  }
  const contents = await readPlugin(root, { only, features });
  for (const missing of contents.missing)
    found.push(`its manifest names ${missing}, which is not there`);
  for (const { key, isRequired } of contents.settings) {
    if (isRequired && settings[key] === undefined) {
      found.push(`needs a setting: tau plugin config ${name} ${key} VALUE`);
    }
  }
  const range = contents.engines.tau;
  if (typeof range === "string" && !Bun.semver.satisfies(VERSION, range)) {
    found.push(`is for Tau ${range}, and this is ${VERSION}`);
  }
  if (!plugin.isEnabled) return found;
  for (const item of (await describePlugin(name, root, contents)).items) {
    if (item.heldBack !== undefined) found.push(`${item.path} is not used: ${item.heldBack}`);
    // All hooks of an event run; those that are modules are called with the plugin's name.
    if (item.kind === "hooks") continue;
    const key = `${item.kind} ${item.name}`;
    const owner = owners.get(key);
    if (owner === undefined) owners.set(key, name);
    else if (owner !== name)
      found.push(`its ${KINDS[item.kind].one} ${item.name} is also in ${owner}, which comes first`);
  }
  return found;
}
