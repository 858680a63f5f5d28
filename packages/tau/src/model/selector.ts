// From what a user wrote to a model: exact `provider/id`, a canonical id, a bare id, part
// of a name, each with an optional `:level` of thinking. Exact always beats clever, and a
// guess that could mean two things is refused with both named.

import { THINKING_LEVELS, type Model, type ThinkingLevel } from "@tau/ai/model";
import { selectorOf, type Equivalence } from "./equivalence.ts";

export interface ModelPool {
  /** In the order of the registry; unavailable ones too. */
  models: readonly Model[];
  equivalence: Equivalence;
  isAvailable: (model: Model) => boolean;
  /** Providers to prefer among equals, first first. */
  providerOrder: readonly string[];
}

export type MatchKind = "exact" | "canonical" | "id" | "fuzzy" | "pattern";

export interface ModelMatch {
  model: Model;
  thinking?: ThinkingLevel;
  kind: MatchKind;
  /** The other models that the selector could have meant at the same rank. */
  others: readonly Model[];
}

export interface SelectorParts {
  name: string;
  thinking?: ThinkingLevel;
}

/** Model ids contain colons (`qwen3:8b`), so a suffix is one only if it is a level. */
export function splitLevel(selector: string): SelectorParts {
  const colon = selector.lastIndexOf(":");
  const suffix = selector.slice(colon + 1);
  if (colon > 0 && (THINKING_LEVELS as readonly string[]).includes(suffix)) {
    return { name: selector.slice(0, colon), thinking: suffix as ThinkingLevel };
  }
  return { name: selector };
}

/** The whole text is tried first: an id may end in what looks like a level. */
export function findModel(selector: string, pool: ModelPool): ModelMatch | undefined {
  const whole = findExact(selector, pool);
  if (whole) return whole;
  const { name, thinking } = splitLevel(selector);
  const match = (thinking && findExact(name, pool)) || findFuzzy(name, pool);
  if (!match) return undefined;
  return thinking === undefined ? match : { ...match, thinking };
}

function findExact(name: string, pool: ModelPool): ModelMatch | undefined {
  const named = findNamed(name, pool);
  if (named) return named;
  // `claude-opus-4.5` is how people write what its maker calls `claude-opus-4-5`.
  const official = pool.equivalence.officialName(name);
  return official === undefined || official === name ? undefined : findNamed(official, pool);
}

function findNamed(name: string, pool: ModelPool): ModelMatch | undefined {
  const exact = pool.models.find((model) => selectorOf(model) === name);
  if (exact) return { model: exact, kind: "exact", others: [] };
  const canonical = pool.models.filter(
    (model) => !pool.equivalence.isExcluded(model) && pool.equivalence.canonicalId(model) === name,
  );
  const byCanonical = best(canonical, pool, "canonical");
  if (byCanonical) return byCanonical;
  return best(
    pool.models.filter((model) => model.id === name),
    pool,
    "id",
  );
}

function findFuzzy(name: string, pool: ModelPool): ModelMatch | undefined {
  const wanted = name.toLowerCase();
  if (wanted === "") return undefined;
  // `opus-4.5` and `opus-4-5` are one name.
  const written = new Set([
    wanted,
    wanted.replace(/(\d)\.(\d)/g, "$1-$2"),
    wanted.replace(/(\d)-(\d)/g, "$1.$2"),
  ]);
  const hits = pool.models.filter((model) => {
    const names = [selectorOf(model).toLowerCase(), model.name.toLowerCase()];
    return names.some((name) => [...written].some((words) => name.includes(words)));
  });
  // A family without a number means its newest; the shortest id that contains the words is the
  // one without a variant's suffix.
  const ranked = byPreference(hits, pool, { isFamily: !/\d/.test(wanted) });
  const [first] = ranked;
  if (!first) return undefined;
  const canonical = pool.equivalence.canonicalId(first);
  const same = ranked.filter((model) => pool.equivalence.canonicalId(model) === canonical);
  const chosen = best(same, pool, "fuzzy");
  const others = ranked.filter((model) => pool.equivalence.canonicalId(model) !== canonical);
  return chosen && { ...chosen, others };
}

/** Available, then the newest of a family, then the shortest name. */
export function byPreference(
  models: readonly Model[],
  pool: ModelPool,
  { isFamily = true }: { isFamily?: boolean } = {},
): Model[] {
  return models.toSorted(
    (a, b) =>
      availability(b, pool) - availability(a, pool) ||
      (isFamily ? compareVersions(versionOf(b), versionOf(a)) : 0) ||
      a.id.length - b.id.length,
  );
}

/** The numbers of a name that count versions: no dates, no sizes (`8b`, `128k`). */
function versionOf({ id }: Model): number[] {
  const name = id.slice(id.lastIndexOf("/") + 1).replace(/[:@].*$/, "");
  const [found] = /(?<![\d.])\d{1,2}(?:[.-]\d{1,2}(?!\d))*(?![\dbkm])/i.exec(name) ?? [];
  return found === undefined ? [] : found.split(/[.-]/).map(Number);
}

function compareVersions(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Among equals: available, then the user's order of providers, then the registry's. */
function best(models: readonly Model[], pool: ModelPool, kind: MatchKind): ModelMatch | undefined {
  const ranked = models.toSorted(
    (a, b) => availability(b, pool) - availability(a, pool) || rank(a, pool) - rank(b, pool),
  );
  const [model, ...others] = ranked;
  return model && { model, kind, others };
}

function availability(model: Model, pool: ModelPool): number {
  return pool.isAvailable(model) ? 1 : 0;
}

function rank(model: Model, pool: ModelPool): number {
  const at = pool.providerOrder.indexOf(model.provider);
  return at < 0 ? pool.providerOrder.length : at;
}

/** All models that a pattern names: a glob, a canonical id with all its variants, or one model. */
export function expandPattern(pattern: string, pool: ModelPool): Model[] {
  const { name } = splitLevel(pattern);
  if (/[*?[]/.test(name)) {
    // A star crosses the slashes of gateways' ids, as a reader expects.
    const flatten = (text: string): string => text.replaceAll("/", "\u0001");
    const glob = new Bun.Glob(flatten(name));
    // Behind a provider's name the rest is that provider's ids, not a gateway's.
    const namesProvider = pool.models.some((model) => name.startsWith(`${model.provider}/`));
    return pool.models.filter(
      (model) =>
        glob.match(flatten(selectorOf(model))) || (!namesProvider && glob.match(flatten(model.id))),
    );
  }
  const exact = pool.models.find((model) => selectorOf(model) === name);
  if (exact) return [exact];
  const group = pool.models.filter((model) => pool.equivalence.canonicalId(model) === name);
  if (group.length > 0) return group;
  const match = findModel(pattern, pool);
  return match ? [match.model] : [];
}
