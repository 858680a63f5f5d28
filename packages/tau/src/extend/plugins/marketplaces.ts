// The marketplaces that the user knows: where each comes from, and its catalog as it was last fetched. One in
// a directory is read where it is.

import { readFile, realpath, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { withFileLock } from "@tau/host/lock/file-lock";
import { createDiskStorage } from "@tau/host/storage";
import { systemCode } from "@tau/host/storage-error";
import { withoutPasswords } from "../../base/hide-passwords.ts";
import { isPluginName } from "../../discovery/plugins/plugin-name.ts";
import { LeadsOut, pathInside } from "../../discovery/plugins/plugin-path.ts";
import { UserError } from "../../user-error.ts";
import { download } from "./download.ts";
import { fetchSource } from "./fetch-source.ts";
import { MAX_METADATA_BYTES } from "./limits.ts";
import { CATALOG_FILE, parseCatalog, type Catalog } from "./marketplace-catalog.ts";
import { parseSource, refusePassword, sourceText } from "./plugin-source.ts";
import { storeFor, type PluginStore } from "./plugin-store.ts";

export interface Marketplace {
  name: string;
  /** As it was given: what an update asks for again. */
  source: string;
  /** Below the directory of plugins; the fetched files, or the catalog alone. */
  directory?: string;
  /** The user's own directory. */
  path?: string;
  updatedAt: string;
}

const FILE = "marketplaces.json";
const VERSION = 1;

interface Place {
  cwd: string;
  env: Environment;
  signal: AbortSignal;
}

export class Marketplaces {
  readonly #store: PluginStore;
  readonly #place: Place;

  private constructor(store: PluginStore, place: Place) {
    this.#store = store;
    this.#place = place;
  }

  static async open(place: Place): Promise<Marketplaces> {
    return new Marketplaces(await storeFor("user", place), place);
  }

  async all(): Promise<Marketplace[]> {
    try {
      const data = JSON.parse(await readFile(this.#file, "utf8")) as Record<string, unknown>;
      const isKnown = data.version === VERSION && Array.isArray(data.marketplaces);
      const markets = isKnown ? (data.marketplaces as Marketplace[]) : [];
      // Older versions stored credentials in addresses; so nobody sees them, and the next write has none.
      return markets
        .filter((one) => isPluginName(one?.name))
        .map((one) => ({ ...one, source: withoutPasswords(String(one.source)) }));
    } catch (error) {
      if (systemCode(error) === "ENOENT") return [];
      if (!(error instanceof SyntaxError) && systemCode(error) === undefined) throw error;
      throw new UserError(`${this.#file} cannot be read; repair or remove it`);
    }
  }

  async find(name: string): Promise<Marketplace> {
    const all = await this.all();
    const found = all.find((one) => one.name === name);
    if (found) return found;
    const known = all.map((one) => one.name).join(", ") || "none";
    throw new UserError(`there is no marketplace ${name}; known: ${known}`);
  }

  /** The directory that paths in the catalog are below; undefined if it is a single file. */
  async rootOf(market: Marketplace): Promise<string | undefined> {
    const root = market.path ?? join(this.#store.place.directory, market.directory ?? "");
    return /^https?:/.test(market.source) && market.source.endsWith(".json") ? undefined : root;
  }

  async catalog(market: Marketplace): Promise<Catalog> {
    const root = market.path ?? join(this.#store.place.directory, market.directory ?? "");
    return catalogAt(root);
  }

  async add(given: string): Promise<{ market: Marketplace; catalog: Catalog }> {
    await using staging = await this.#store.stage();
    const fetched = await this.#fetch(given, staging.path);
    const catalog = await catalogAt(fetched.root);
    const isOwn = fetched.path !== undefined;
    const id = crypto.getRandomValues(new Uint8Array(8)).toHex();
    const market: Marketplace = {
      name: catalog.name,
      source: fetched.source,
      directory: isOwn ? undefined : `marketplace+${catalog.name}@${id}`,
      path: fetched.path,
      updatedAt: new Date().toISOString(),
    };
    await this.#change(async (before) => {
      const same = before.find(({ name }) => name === market.name);
      // Otherwise somebody else's catalog could take the place of one that is trusted by its name.
      if (same && same.source !== market.source) {
        throw new UserError(
          `there is a marketplace ${market.name} from ${same.source}; remove that one first`,
        );
      }
      if (market.directory !== undefined) {
        await rename(fetched.root, join(this.#store.place.directory, market.directory));
      }
      return [...before.filter(({ name }) => name !== market.name), market];
    });
    return { market, catalog };
  }

  async update(name: string): Promise<{ market: Marketplace; catalog: Catalog }> {
    const { source } = await this.find(name);
    const updated = await this.add(source);
    if (updated.catalog.name === name) return updated;
    await this.remove(updated.catalog.name);
    throw new UserError(`${source} now calls itself ${updated.catalog.name}; it was not updated`);
  }

  async remove(name: string): Promise<void> {
    await this.find(name);
    await this.#change(async (before) => before.filter((one) => one.name !== name));
  }

  async #fetch(given: string, staging: string) {
    const { cwd, env, signal } = this.#place;
    refusePassword(given);
    if (/^https?:\/\//.test(given) && new URL(given).pathname.endsWith(".json")) {
      const bytes = await download(new URL(given), {
        env,
        signal,
        maxBytes: MAX_METADATA_BYTES,
        missing: `${given} is not there`,
      });
      const root = join(staging, "plugin");
      const storage = createDiskStorage();
      await storage.makeDirectory(join(root, ".claude-plugin"), { point: "plugins.directory" });
      await storage.replace(join(root, CATALOG_FILE), bytes, { point: "plugins.catalog" });
      return { root, source: given, path: undefined };
    }
    const source = parseSource(given, { cwd, env, markets: new Set() });
    if (source.type === "npm" || source.type === "marketplace") {
      throw new UserError(
        `${given} is not a marketplace; give github:owner/repo, a git address, an address of a marketplace.json or a directory`,
      );
    }
    if (source.type === "directory") {
      const path = await realpath(source.path).catch(() => undefined);
      if (path === undefined) throw new UserError(`${given} does not exist`);
      return { root: path, source: sourceText({ type: "directory", path }), path };
    }
    const { root } = await fetchSource(source, { staging, env, signal, namedBy: "user" });
    return { root, source: sourceText(source), path: undefined };
  }

  async #change(change: (before: Marketplace[]) => Promise<Marketplace[]>): Promise<void> {
    const storage = createDiskStorage();
    await withFileLock(this.#file, async () => {
      const before = await this.all();
      const after = await change(before);
      const text = `${JSON.stringify({ version: VERSION, marketplaces: after }, null, 2)}\n`;
      await storage.replace(this.#file, Buffer.from(text), { point: "plugins.marketplaces" });
      const used = new Set(after.map(({ directory }) => directory));
      for (const { directory } of before) {
        if (directory === undefined || used.has(directory)) continue;
        await rm(join(this.#store.place.directory, directory), { recursive: true, force: true });
      }
    });
  }

  get #file(): string {
    return join(this.#store.place.directory, FILE);
  }
}

async function catalogAt(root: string): Promise<Catalog> {
  try {
    const real = await realpath(root);
    const { kind } = await pathInside(real, CATALOG_FILE, "the catalog");
    if (kind !== "file") throw new UserError(`there is no ${CATALOG_FILE} in it`);
    return parseCatalog(await readFile(join(real, CATALOG_FILE), "utf8"), CATALOG_FILE);
  } catch (error) {
    if (error instanceof LeadsOut) throw new UserError(error.message);
    if (systemCode(error) === undefined) throw error;
    throw new UserError(
      `the catalog cannot be read (${systemCode(error)}); update the marketplace`,
    );
  }
}
