// The lockfile: which plugins are installed, from where, as what, and whether they count. It alone decides:
// a directory that it does not name is not a plugin. A project's comes from strangers, so that every word of
// it is checked before it becomes a path.

import { realpath } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { systemCode } from "@tau/host/storage-error";
import { withoutPasswords } from "../../base/hide-passwords.ts";
import { isBelow } from "../../base/is-below.ts";
import { NotAFile, readBounded } from "../../base/read-bounded.ts";
import { MAX_DOCUMENT_BYTES } from "../limits.ts";
import { readLockedPackages, type LockedPackages } from "./locked-packages.ts";
import { readLockedParts, type LockedParts } from "./locked-parts.ts";
import { isPluginName } from "./plugin-name.ts";
import { lockFileOf, type PluginPlace } from "./plugin-places.ts";

export const LOCK_VERSION = 1;

export interface LockedPlugin {
  name: string;
  /** As it was asked for: what an update asks for again. */
  source: string;
  /** Where the marketplace is from that the source names. */
  market?: string;
  /** What its manifest says. */
  version?: string;
  /** What exactly was fetched: a version, a commit, an address. */
  resolved?: string;
  /** Of the registry, for a package; it was checked when the package came. */
  registryIntegrity?: string;
  /** Of all its files as they were installed. */
  integrity?: string;
  /** Below the directory of plugins; absent if it is linked. */
  directory?: string;
  /** The author's own directory, which stays where it is. */
  link?: string;
  installedAt: string;
  isEnabled: boolean;
  features: readonly string[];
  settings: Readonly<Record<string, string>>;
  /** Only its skills count: it was installed for them. */
  only?: "skills";
  /** The packages that it needs. */
  packages?: LockedPackages;
  /** What it brings, so that nobody has to look again. */
  parts?: LockedParts;
}

export interface PluginLock {
  plugins: readonly LockedPlugin[];
  /** Why it cannot be read, as the second half of a sentence. */
  problem?: string;
}

/** Our own directories are called name@hash, with a plus for a slash. */
const DIRECTORY_NAME = /^@?[a-z0-9][\w.+-]*@[0-9a-f]+$/i;

export async function readPluginLock(place: PluginPlace): Promise<PluginLock> {
  const file = lockFileOf(place);
  let text: string;
  try {
    // A link in a clone would bring plugins from wherever its author wants.
    if (place.within !== undefined && !isBelow(await realpath(place.directory), place.within)) {
      return { plugins: [], problem: "leads out of the project and is not followed" };
    }
    text = (await readBounded(file, MAX_DOCUMENT_BYTES)).text;
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { plugins: [] };
    if (code === undefined && !(error instanceof NotAFile)) throw error;
    return { plugins: [], problem: `cannot be read (${code ?? "not a file"})` };
  }
  return parseLock(text);
}

export function parseLock(text: string): PluginLock {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { plugins: [], problem: "is not JSON" };
  }
  if (!isRecord(data) || !isRecord(data.plugins)) {
    return { plugins: [], problem: "is not a list of plugins" };
  }
  if (data.version !== LOCK_VERSION) {
    return { plugins: [], problem: `has version ${String(data.version)}, which Tau does not know` };
  }
  const plugins: LockedPlugin[] = [];
  const odd: string[] = [];
  for (const [name, given] of Object.entries(data.plugins)) {
    const plugin = lockedPlugin(name, given);
    if (plugin) plugins.push(plugin);
    else odd.push(JSON.stringify(name));
  }
  const problem = odd.length > 0 ? `has entries that are ignored: ${odd.join(", ")}` : undefined;
  return { plugins, problem };
}

export function lockText(plugins: readonly LockedPlugin[]): string {
  const sorted = plugins.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const byName = Object.fromEntries(sorted.map(({ name, ...rest }) => [name, rest]));
  return `${JSON.stringify({ version: LOCK_VERSION, plugins: byName }, null, 2)}\n`;
}

/** Where its files are. A project may not name a directory elsewhere. */
export function rootOf({ directory, link }: LockedPlugin, place: PluginPlace): string | undefined {
  if (directory !== undefined) return join(place.directory, directory);
  return place.level === "user" ? link : undefined;
}

function lockedPlugin(name: string, given: unknown): LockedPlugin | undefined {
  if (!isPluginName(name) || !isRecord(given)) return undefined;
  const { source, version, resolved, registryIntegrity, integrity, directory, link } = given;
  const { installedAt, isEnabled, features, settings, only, market } = given;
  if (directory !== undefined && !(isText(directory) && DIRECTORY_NAME.test(directory))) {
    return undefined;
  }
  if (link !== undefined && !(isText(link) && isAbsolute(link))) return undefined;
  if (directory === undefined && link === undefined) return undefined;
  return {
    name,
    // Older versions stored them as they were given; so nobody sees them, and the next write has none.
    source: isText(source) ? withoutPasswords(source) : "",
    market: isText(market) ? withoutPasswords(market) : undefined,
    version: textOr(version),
    resolved: isText(resolved) ? withoutPasswords(resolved) : undefined,
    registryIntegrity: textOr(registryIntegrity),
    integrity: textOr(integrity),
    directory: textOr(directory),
    link: textOr(link),
    installedAt: isText(installedAt) ? installedAt : "",
    isEnabled: isEnabled === true,
    features: Array.isArray(features) ? features.filter(isText) : [],
    settings: isRecord(settings)
      ? Object.fromEntries(
          Object.entries(settings).filter((one): one is [string, string] => isText(one[1])),
        )
      : {},
    only: only === "skills" ? only : undefined,
    packages: readLockedPackages(given.packages),
    parts: readLockedParts(given.parts),
  };
}

function textOr(value: unknown): string | undefined {
  return isText(value) ? value : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
