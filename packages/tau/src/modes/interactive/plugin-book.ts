// Plugins for the screen: what is installed for the user and in the project, what marketplaces offer, and
// how each is changed.

import type { Environment } from "@tau/ai/environment";
import type { LockedPlugin } from "../../discovery/plugins/plugin-lock.ts";
import { rootOf } from "../../discovery/plugins/plugin-lock.ts";
import { readPlugin } from "../../discovery/plugins/read-plugin.ts";
import { describePlugin } from "../../extend/plugins/describe-plugin.ts";
import { installPlugin } from "../../extend/plugins/install-plugin.ts";
import { Marketplaces } from "../../extend/plugins/marketplaces.ts";
import { PLAIN_LOOKS, pluginInWords } from "../../extend/plugins/plugin-views.ts";
import { pluginStores, storeFor, type PluginStore } from "../../extend/plugins/plugin-store.ts";
import { preparePlugin } from "../../extend/plugins/prepare-plugin.ts";
import { UserError } from "../../user-error.ts";
import type { BrowsedPlugin, PluginBrowserDeps, PluginInWords } from "./screens/plugin-browser.ts";

export async function pluginBook(place: {
  cwd: string;
  env: Environment;
  signal: AbortSignal;
}): Promise<PluginBrowserDeps> {
  const { signal } = place;
  const stores = await pluginStores(place);
  const store = await storeFor("user", place);
  const markets = await Marketplaces.open(place);
  /** Prepares it in a place that is gone afterwards. */
  const prepared = async <T>(plugin: BrowsedPlugin, use: Use<T>): Promise<T> => {
    await using staging = await store.stage();
    const source = { type: "marketplace", plugin: plugin.name, market: plugin.from } as const;
    const own = { ...place, staging: staging.path, markets };
    return await use(await preparePlugin(source, own), staging.path);
  };
  return {
    signal,
    list: async () => [...(await installed(stores)), ...(await offered(markets, stores))],
    describe: async (plugin) => {
      if (plugin.state === "available") return prepared(plugin, async (one) => inWords(one));
      const { store: own, found } = await holder(stores, plugin);
      const root = rootOf(found, own.place) ?? "";
      const contents = await readPlugin(root, found);
      const description = await describePlugin(found.name, root, contents);
      return inWords({ name: found.name, contents, description });
    },
    install: (plugin) =>
      prepared(plugin, async (one, staging) => {
        await installPlugin(one, { ...place, store, staging });
      }),
    setEnabled: async (plugin, isEnabled) => {
      const { store: own } = await holder(stores, plugin);
      await own.change((before) =>
        before.map((one) => (one.name === plugin.name ? { ...one, isEnabled } : one)),
      );
    },
    remove: async (plugin) => {
      const { store: own } = await holder(stores, plugin);
      await own.change((before) => before.filter(({ name }) => name !== plugin.name));
    },
  };
}

type Use<T> = (one: Awaited<ReturnType<typeof preparePlugin>>, staging: string) => Promise<T>;

function inWords(shown: Parameters<typeof pluginInWords>[0]): PluginInWords {
  const lines = pluginInWords(shown, PLAIN_LOOKS).trimEnd().split("\n");
  return { lines, mayRun: shown.description.items.some(({ runs }) => runs.length > 0) };
}

async function installed(stores: readonly PluginStore[]): Promise<BrowsedPlugin[]> {
  const found: BrowsedPlugin[] = [];
  for (const store of stores) {
    const { place } = store;
    for (const { name, version = "", source, isEnabled } of (await store.look()).plugins) {
      const from = place.level === "project" ? `${source} (project)` : source;
      const state = isEnabled ? "enabled" : "disabled";
      found.push({ id: `${place.level} ${name}`, name, version, from, state, description: "" });
    }
  }
  return found;
}

async function offered(
  markets: Marketplaces,
  stores: readonly PluginStore[],
): Promise<BrowsedPlugin[]> {
  const have = new Set(
    (await Promise.all(stores.map((one) => one.look()))).flatMap((one) =>
      one.plugins.map(sourceOf),
    ),
  );
  const found: BrowsedPlugin[] = [];
  for (const market of await markets.all()) {
    for (const { name, version = "", description } of (await markets.catalog(market)).entries) {
      const id = `${name}@${market.name}`;
      if (have.has(id)) continue;
      found.push({ id, name, version, from: market.name, state: "available", description });
    }
  }
  return found;
}

const sourceOf = ({ source }: LockedPlugin): string => source;

async function holder(stores: readonly PluginStore[], plugin: BrowsedPlugin) {
  for (const store of stores) {
    if (!plugin.id.startsWith(`${store.place.level} `)) continue;
    const found = await store.find(plugin.name);
    if (found) return { store, found };
  }
  throw new UserError(`${plugin.name} is not installed any more`);
}
