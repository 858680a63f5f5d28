// A catalog of plugins in Claude Code's form, `.claude-plugin/marketplace.json`: what is in it, and where each
// plugin comes from. It is a stranger's: what an entry names is checked before anything is fetched.

import { isPluginName } from "../../discovery/plugins/plugin-name.ts";
import { UserError } from "../../user-error.ts";
import { gitSource } from "./plugin-source.ts";
import type { FetchableSource } from "./fetch-source.ts";

export const CATALOG_FILE = ".claude-plugin/marketplace.json";

export interface CatalogEntry {
  name: string;
  description: string;
  version?: string;
  category?: string;
  tags: readonly string[];
  author?: string;
  homepage?: string;
  /** As it is written: a path, or an object with `source`. */
  source: unknown;
  /** False: the entry alone says what the plugin brings. */
  isStrict: boolean;
  /** What it says of itself, as a manifest would. */
  manifest: Readonly<Record<string, unknown>>;
}

export interface Catalog {
  name: string;
  owner: string;
  description: string;
  /** Directories of plugins with bare names are below it. */
  pluginRoot?: string;
  entries: readonly CatalogEntry[];
  /** Entries that cannot be used, in words. */
  problems: readonly string[];
}

/** Keys of an entry that a manifest has too. */
const MANIFEST_KEYS = [
  "name",
  "version",
  "description",
  "homepage",
  "commands",
  "agents",
  "skills",
  "hooks",
  "mcpServers",
  "lspServers",
  "outputStyles",
  "themes",
  "userConfig",
];
/** More than any catalog of note by an order of magnitude. */
const MAX_ENTRIES = 10_000;

export function parseCatalog(text: string, where: string): Catalog {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UserError(`${where} is not JSON`);
  }
  if (!isRecord(data) || !Array.isArray(data.plugins)) {
    throw new UserError(`${where} is not a catalog: it has no list of plugins`);
  }
  const { name, owner, description, metadata } = data;
  if (!isPluginName(name) || name.includes("/")) {
    throw new UserError(`${where} has no name that may be used: ${JSON.stringify(name) ?? "none"}`);
  }
  const about = isRecord(metadata) ? metadata : {};
  const entries: CatalogEntry[] = [];
  const problems: string[] = [];
  for (const one of data.plugins.slice(0, MAX_ENTRIES)) {
    const entry = isRecord(one) ? entryOf(one) : undefined;
    if (entry) entries.push(entry);
    else problems.push(`${JSON.stringify(isRecord(one) ? one.name : one)} is not an entry`);
  }
  return {
    name,
    owner: isRecord(owner) ? textOr(owner.name) : textOr(owner),
    description: textOr(description ?? about.description),
    pluginRoot: typeof about.pluginRoot === "string" ? about.pluginRoot : undefined,
    entries,
    problems,
  };
}

function entryOf(given: Record<string, unknown>): CatalogEntry | undefined {
  const { name, source, version, description, category, tags, keywords, author, homepage, strict } =
    given;
  if (!isPluginName(name) || (typeof source !== "string" && !isRecord(source))) return undefined;
  return {
    name,
    description: textOr(description),
    version: typeof version === "string" ? version : undefined,
    category: typeof category === "string" ? category : undefined,
    tags: [tags, keywords].flat().filter((one) => typeof one === "string"),
    author: isRecord(author) ? textOr(author.name) : textOr(author),
    homepage: typeof homepage === "string" ? homepage : undefined,
    source,
    isStrict: strict !== false,
    manifest: Object.fromEntries(
      MANIFEST_KEYS.filter((key) => given[key] !== undefined).map((key) => [key, given[key]]),
    ),
  };
}

/** A path is below the catalog's own directory; everything else is fetched. */
export type EntrySource = { type: "inside"; path: string } | FetchableSource;

export function entrySource({ name, source }: CatalogEntry, { pluginRoot }: Catalog): EntrySource {
  const refused = new UserError(
    `the source of ${name} is not understood: ${JSON.stringify(source)}`,
  );
  if (typeof source === "string") {
    const isBare = !source.startsWith(".") && !source.startsWith("/");
    const path = isBare && pluginRoot !== undefined ? `${pluginRoot}/${source}` : source;
    return { type: "inside", path };
  }
  if (!isRecord(source)) throw refused;
  const { source: kind, repo, url, ref, sha, path, package: pack, version, registry } = source;
  const at = { ref: optional(ref), sha: optional(sha), path: inRepository(path, refused) };
  switch (kind) {
    case "github": {
      const found = typeof repo === "string" ? gitSource(`github:${repo}`) : undefined;
      if (!found) throw refused;
      return { ...found, ...at };
    }
    case "url":
    case "git":
    case "git-subdir": {
      if (typeof url !== "string" || (kind === "git-subdir" && at.path === undefined))
        throw refused;
      const found = /^[\w.-]+\/[\w.-]+$/.test(url) ? gitSource(`github:${url}`) : undefined;
      return { type: "git", url, ...found, ...at };
    }
    case "npm": {
      if (!isPluginName(pack)) throw refused;
      const from = optional(registry);
      if (from !== undefined && !from.startsWith("https://")) throw refused;
      return { type: "npm", name: pack, range: optional(version), registry: from };
    }
    default:
      throw refused;
  }
}

function inRepository(path: unknown, refused: UserError): string | undefined {
  if (path === undefined) return undefined;
  if (typeof path !== "string") throw refused;
  const plain = path.replace(/^\.\//, "").replace(/\/+$/, "");
  if (plain.startsWith("/") || plain.split("/").includes("..")) throw refused;
  return plain === "" || plain === "." ? undefined : plain;
}

function optional(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function textOr(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
