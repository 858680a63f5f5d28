// The built-in models, one provider at a time: looking at one provider reads one file.

import type { Environment } from "../environment.ts";
import type { Model } from "../model.ts";
import type { ProviderRow } from "../provider-row.ts";
import { exceptionFor, placementOf } from "../providers/placement.ts";
import { mergeQuirks } from "../providers/quirk-merge.ts";
import type { CatalogEntry } from "./catalog-entry.ts";
import { CATALOG_FILES } from "./generated/files.ts";
import { readCatalog } from "./stored-catalog.ts";

const loaded = new Map<string, Promise<readonly CatalogEntry[]>>();

/** In the order of their ids; empty for a provider that the catalog does not know. */
export function loadCatalog(providerId: string): Promise<readonly CatalogEntry[]> {
  let entries = loaded.get(providerId);
  if (!entries) {
    entries = load(providerId);
    loaded.set(providerId, entries);
  }
  return entries;
}

export function catalogProviders(): readonly string[] {
  return Object.keys(CATALOG_FILES);
}

/**
 * A model as it is reached in this environment. A user's own address or wire in the row
 * counts for it as well.
 */
export function modelFromEntry(row: ProviderRow, entry: CatalogEntry, env: Environment): Model {
  const placement = placementOf(row, entry.id, env);
  const { id, name, contextWindow, maxOutput, input, cost, thinking, promotionTarget } = entry;
  const quirks = mergeQuirks(entry.quirks, placement.quirks);
  return {
    ...placement,
    wire: (exceptionFor(row, id)?.wire ? undefined : entry.wire) ?? placement.wire,
    id,
    name,
    contextWindow,
    maxOutput,
    input,
    thinking,
    cost,
    promotionTarget,
    quirks,
  };
}

async function load(providerId: string): Promise<readonly CatalogEntry[]> {
  if (!Object.hasOwn(CATALOG_FILES, providerId)) return [];
  const { default: stored } = await CATALOG_FILES[providerId]!();
  return readCatalog(stored);
}
