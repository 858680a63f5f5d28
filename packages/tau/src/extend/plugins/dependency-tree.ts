// Which packages a plugin needs, at every depth, and where each is to stand: as high as its name is free,
// otherwise beside the one that needs it. Only what the registry says is asked: nothing is fetched, and
// what would come from anywhere else is refused, whoever names it.

import { isPackageName } from "../../discovery/plugins/locked-packages.ts";
import { UserError } from "../../user-error.ts";
import { MAX_PACKAGE_DEPTH, MAX_PACKAGES } from "./limits.ts";
import { NotPublished, type PublishedPackage, type Registry } from "./registry.ts";

export interface PlacedPackage {
  /** Below `node_modules`: `a`, or `a/node_modules/b`. */
  path: string;
  package: PublishedPackage;
}

type Manifest = Readonly<Record<string, unknown>>;

interface Need {
  /** The path of the package that needs it; empty for the plugin. */
  from: string;
  /** What it is imported as. */
  alias: string;
  name: string;
  range: string;
  isOptional: boolean;
}

/** Ranges, tags and aliases of the registry's; nothing that leads elsewhere. */
const OF_REGISTRY = /^(?:npm:((?:@[\w.-]+\/)?[\w.-]+)(?:@|$))?([\w.\s^~<>=|*+-]*)$/;
const INSIDE = "/node_modules/";

/** Rejects with `UserError`. */
export async function dependencyTree(
  manifest: Manifest,
  registry: Registry,
): Promise<PlacedPackage[]> {
  const placed = new Map<string, PublishedPackage>();
  let level = needsOf(manifest, "");
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_PACKAGE_DEPTH) {
      throw new UserError(`its packages need one another more than ${MAX_PACKAGE_DEPTH} deep`);
    }
    // All at once: one after the other would take a round trip for each.
    const found = await Promise.all(level.map((need) => publishedFor(need, registry)));
    const next: Need[] = [];
    for (const [at, need] of level.entries()) {
      const published = found[at];
      if (!published) continue;
      const seen = nearest(need, placed);
      if (seen && isFitting(seen, need, published)) continue;
      const { from, alias } = need;
      const path = placed.has(alias) ? `${from}${INSIDE}${alias}` : alias;
      placed.set(path, published);
      if (placed.size > MAX_PACKAGES) {
        throw new UserError(`it needs more than ${MAX_PACKAGES} packages`);
      }
      next.push(...needsOf(published.manifest, path));
    }
    level = next;
  }
  return [...placed].map(([path, published]) => ({ path, package: published }));
}

/** What it says it needs, without what it has with it. */
export function needsOf(manifest: Manifest, from: string): Need[] {
  const bundled = bundledIn(manifest);
  const optional = record(manifest.optionalDependencies);
  const needed = record(manifest.dependencies);
  const who = from === "" ? "it" : `its package ${from.split(INSIDE).at(-1)}`;
  const all = [
    ...Object.entries(needed).filter(([name]) => !Object.hasOwn(optional, name)),
    ...Object.entries(optional),
  ];
  return all.flatMap(([alias, given]): Need[] => {
    const [, name = alias, range] = (typeof given === "string" && OF_REGISTRY.exec(given)) || [];
    if (range === undefined) {
      throw new UserError(
        `${who} needs ${alias} from ${JSON.stringify(given)}, which is not a registry; nothing was installed`,
      );
    }
    if (![alias, name].every(isPackageName)) {
      throw new UserError(
        `${who} needs ${JSON.stringify(alias)}, which is not the name of a package; nothing was installed`,
      );
    }
    if (bundled.has(alias)) return [];
    return [{ from, alias, name, range, isOptional: Object.hasOwn(optional, alias) }];
  });
}

/** Those that it has in its own `node_modules`. */
export function bundledIn(manifest: Manifest): ReadonlySet<unknown> {
  const { bundleDependencies, bundledDependencies } = manifest;
  const given = [bundleDependencies, bundledDependencies];
  return new Set(given.includes(true) ? Object.keys(record(manifest.dependencies)) : given.flat());
}

/** Undefined if it need not be there: it is for another system, or gone. */
async function publishedFor(
  { name, range, isOptional }: Need,
  registry: Registry,
): Promise<PublishedPackage | undefined> {
  try {
    const found = await registry.find({ name, range });
    return isOptional && !isForThisSystem(found.manifest) ? undefined : found;
  } catch (error) {
    if (isOptional && error instanceof NotPublished) return undefined;
    throw error;
  }
}

/** What would be imported by this name there, as programs look for it. */
function nearest(
  { from, alias }: Need,
  placed: ReadonlyMap<string, PublishedPackage>,
): PublishedPackage | undefined {
  const above = from === "" ? [] : from.split(INSIDE);
  for (let depth = above.length; depth >= 0; depth--) {
    const found = placed.get([...above.slice(0, depth), alias].join(INSIDE));
    if (found) return found;
  }
  return undefined;
}

function isFitting(seen: PublishedPackage, { range }: Need, best: PublishedPackage): boolean {
  if (seen.name !== best.name) return false;
  return seen.version === best.version || Bun.semver.satisfies(seen.version, range);
}

function isForThisSystem({ os, cpu }: Manifest): boolean {
  return allows(os, process.platform) && allows(cpu, process.arch);
}

/** As npm writes it: names, or names that are excluded. */
function allows(given: unknown, own: string): boolean {
  const names = [given].flat().filter((one) => typeof one === "string");
  if (names.includes(`!${own}`)) return false;
  const wanted = names.filter((one) => !one.startsWith("!"));
  return wanted.length === 0 || wanted.includes(own) || wanted.includes("any");
}

function record(value: unknown): Record<string, unknown> {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord ? (value as Record<string, unknown>) : {};
}
