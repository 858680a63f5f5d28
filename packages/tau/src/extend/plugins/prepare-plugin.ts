// Everything before an installation that somebody has to decide about: the files are fetched and looked at,
// and nothing is installed yet.

import { mkdir, realpath, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { systemCode } from "@tau/host/storage-error";
import type { LockedPlugin } from "../../discovery/plugins/plugin-lock.ts";
import { BadManifest, CLAUDE_MANIFEST, jsonAt } from "../../discovery/plugins/plugin-manifest.ts";
import { isPluginName } from "../../discovery/plugins/plugin-name.ts";
import { LeadsOut, pathInside } from "../../discovery/plugins/plugin-path.ts";
import { readPlugin, type PluginContents } from "../../discovery/plugins/read-plugin.ts";
import { UserError } from "../../user-error.ts";
import { describePlugin, type PluginDescription, type PluginItem } from "./describe-plugin.ts";
import { fetchSource, type FetchedSource } from "./fetch-source.ts";
import { entrySource, type CatalogEntry } from "./marketplace-catalog.ts";
import type { Marketplaces } from "./marketplaces.ts";
import { sourceText, type PluginSource } from "./plugin-source.ts";
import { isPrivatePlace } from "./public-repository.ts";
import { exactSource } from "./restore-plugin.ts";
import { treeIntegrity } from "./tree-integrity.ts";

export interface PreparedPlugin {
  name: string;
  source: PluginSource;
  fetched: FetchedSource;
  contents: PluginContents;
  description: PluginDescription;
  /** Where its marketplace is from. */
  market?: string;
}

export interface PreparePlace {
  staging: string;
  env: Environment;
  signal: AbortSignal;
  markets: Marketplaces;
  only?: "skills";
  /** Those of its features that are wanted; without, the default ones. */
  features?: readonly string[];
  /** It is to be what it was then. */
  locked?: LockedPlugin;
}

/** Rejects with `UserError`. */
export async function preparePlugin(
  source: PluginSource,
  place: PreparePlace,
): Promise<PreparedPlugin> {
  const { staging, env, signal, only, features } = place;
  const { fetched, entry, market } =
    source.type === "marketplace"
      ? await fromMarketplace(source, place)
      : {
          fetched: await fetchSource(source, { staging, env, signal, namedBy: "user" }),
          entry: undefined,
          market: undefined,
        };
  const root = await realpath(fetched.root);
  try {
    if (entry) await addManifest(root, entry);
    const contents = await readPlugin(root, { only, features });
    const name = nameOf({ contents, source, entry });
    // Before anybody reads on: what leads out of it is refused, however it got there.
    await treeIntegrity(root);
    assertFeatures(contents, features);
    const description = await describePlugin(name, root, contents);
    const used = description.items.filter(({ heldBack }) => heldBack === undefined);
    if (used.length === 0) throw new UserError(nothing(only, description.items[0]));
    return { name, source, fetched: { ...fetched, root }, contents, description, market };
  } catch (error) {
    if (error instanceof BadManifest || error instanceof LeadsOut) {
      throw new UserError(`${sourceText(source)}: ${error.message}; nothing was installed`);
    }
    if (error instanceof UserError) throw new UserError(`${sourceText(source)}: ${error.message}`);
    throw error;
  }
}

/** The same with other features than the usual; those that it no longer has are left out. */
export async function withFeatures(
  prepared: PreparedPlugin,
  wanted: readonly string[],
  only?: "skills",
): Promise<PreparedPlugin> {
  const { name, source, fetched } = prepared;
  const known = new Set(prepared.contents.features.map((one) => one.name));
  const features = wanted.filter((one) => known.has(one));
  try {
    const contents = await readPlugin(fetched.root, { only, features });
    const description = await describePlugin(name, fetched.root, contents);
    return { ...prepared, contents, description };
  } catch (error) {
    if (!(error instanceof LeadsOut)) throw error;
    throw new UserError(`${sourceText(source)}: ${error.message}; nothing was installed`);
  }
}

function nothing(only: "skills" | undefined, item: PluginItem | undefined): string {
  if (item) return `${item.path}: ${item.heldBack}; nothing was installed`;
  return only === "skills"
    ? "there is no skill (a directory with SKILL.md) in it; nothing was installed"
    : "it brings nothing that Tau knows of; nothing was installed";
}

async function fromMarketplace(
  { plugin, market: wanted }: Extract<PluginSource, { type: "marketplace" }>,
  { staging, env, signal, markets, locked }: PreparePlace,
): Promise<{ fetched: FetchedSource; entry: CatalogEntry; market: string }> {
  const market = await markets.find(wanted);
  const catalog = await markets.catalog(market);
  const entry = catalog.entries.find(({ name }) => name === plugin);
  if (!entry) throw new UserError(`the marketplace ${wanted} has no plugin ${plugin}`);
  const from = entrySource(entry, catalog);
  // A catalog on this machine may be one that is being tried out, one in its network knows of others there.
  const isOwn = market.path !== undefined || (await isPrivatePlace(market.source, { env }));
  const namedBy = isOwn ? "own catalog" : "catalog";
  if (from.type !== "inside") {
    const exact = locked ? exactSource(from, locked) : from;
    const fetched = await fetchSource(exact, { staging, env, signal, namedBy });
    return { fetched, entry, market: market.source };
  }
  const root = await markets.rootOf(market);
  if (root === undefined) {
    throw new UserError(
      `${plugin} is a path in ${wanted}, which is a single file; add the marketplace from its repository`,
    );
  }
  try {
    const real = await realpath(root);
    const { path, kind } = await pathInside(real, from.path, "source");
    if (kind !== "directory") throw new UserError(`${wanted} has no directory ${from.path}`);
    const source = { type: "directory", path: join(real, path) } as const;
    const fetched = await fetchSource(source, { staging, env, signal, namedBy });
    return { fetched: { ...fetched, resolved: entry.version }, entry, market: market.source };
  } catch (error) {
    if (error instanceof LeadsOut) throw new UserError(`${wanted}: ${error.message}`);
    if (systemCode(error) === undefined) throw error;
    throw new UserError(`the marketplace ${wanted} is gone; update it`);
  }
}

/** What the catalog says of a plugin and the plugin itself does not. */
async function addManifest(root: string, entry: CatalogEntry): Promise<void> {
  const own = await jsonAt(root, CLAUDE_MANIFEST);
  const hasPackage = own === undefined && (await jsonAt(root, "package.json")) !== undefined;
  const { isStrict, manifest } = entry;
  // A package says of itself what it is; an entry with parts of its own is about something else.
  const brings = Object.keys(manifest).some((key) => !ABOUT.has(key));
  if (hasPackage && !brings) return;
  const merged = isStrict ? { ...manifest, ...own } : { ...own, ...manifest };
  await mkdir(join(root, dirname(CLAUDE_MANIFEST)), { recursive: true });
  await writeFile(join(root, CLAUDE_MANIFEST), `${JSON.stringify(merged, null, 2)}\n`);
}

const ABOUT: ReadonlySet<string> = new Set(["name", "version", "description", "homepage"]);

interface Naming {
  contents: PluginContents;
  source: PluginSource;
  entry: CatalogEntry | undefined;
}

/** A name that may not be used is refused; one that is missing is made of the source. */
function nameOf({ contents, source, entry }: Naming): string {
  const said = entry?.name ?? contents.name ?? (source.type === "npm" ? source.name : undefined);
  if (said !== undefined) {
    if (isPluginName(said)) return said;
    throw new UserError(
      `it calls itself ${JSON.stringify(said)}, which may not be a name; nothing was installed`,
    );
  }
  const path = source.type === "git" ? (source.path ?? source.url) : lastOf(source);
  const made = basename(path.replace(/\/\.git$/, ""))
    .replace(/\.(?:git|tgz|tar\.gz|tar)$/, "")
    .replace(/[^\w.-]+/g, "-");
  if (isPluginName(made)) return made;
  throw new UserError("it has no name; give it one in its manifest");
}

function lastOf(source: PluginSource): string {
  if (source.type === "tarball") return source.from;
  return source.type === "directory" ? source.path : "";
}

function assertFeatures({ features }: PluginContents, wanted: readonly string[] = []): void {
  const known = features.map(({ name }) => name);
  const odd = wanted.find((one) => !known.includes(one));
  if (odd === undefined) return;
  const hint = known.length > 0 ? `it has ${known.join(", ")}` : "it has none";
  throw new UserError(`it has no feature ${JSON.stringify(odd)}; ${hint}`);
}
