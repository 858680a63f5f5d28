// Asks servers which models they have, when the user wants it, and keeps the answers. All
// at once: a dead server costs the others nothing.

import { discoverModels } from "@tau/ai/discovery/discover-models";
import type { DiscoveredModel } from "@tau/ai/discovery/discovered-model";
import { ModelError } from "@tau/ai/error";
import { endpointOf } from "@tau/ai/providers";
import { mergeQuirks } from "@tau/ai/providers/quirk-merge";
import type { ProviderRow } from "@tau/ai/provider-row";
import { agentDirectory } from "../config/places.ts";
import { suggest } from "../base/suggest.ts";
import { EXIT } from "../exit-code.ts";
import { UserError } from "../user-error.ts";
import { DiscoveryCache } from "./discovery-cache.ts";
import type { ModelAccess } from "./model-access.ts";

export interface RefreshResult {
  provider: string;
  found: number;
  problem?: string;
}

/** Without names: every provider that is connected and can tell. */
export async function refreshDiscovery(
  access: ModelAccess,
  providers: readonly string[],
): Promise<RefreshResult[]> {
  const rows =
    providers.length > 0
      ? providers.map((id) => discoverable(access, id))
      : access.registry.rows().filter((row) => row.discovery && access.credentials.has(row.id));
  using cache = new DiscoveryCache(agentDirectory(access.env));
  const results = await Promise.all(rows.map((row) => refresh(access, row, cache)));
  for (const { message } of cache.problems)
    results.push({ provider: "cache", found: 0, problem: message });
  return results;
}

function discoverable(access: ModelAccess, id: string): ProviderRow {
  const row = access.registry.row(id);
  if (row?.discovery) return row;
  const able = access.registry.rows().filter((candidate) => candidate.discovery);
  const ids = able.map((candidate) => candidate.id);
  const near = suggest(id, ids);
  const hint = near ? `did you mean "${near}"?` : `these do: ${ids.join(", ")}`;
  throw new UserError(`${id} does not list its models; ${hint}`, EXIT.usage);
}

async function refresh(
  access: ModelAccess,
  row: ProviderRow,
  cache: DiscoveryCache,
): Promise<RefreshResult> {
  const provider = row.id;
  const baseUrl = endpointOf(row, access.env);
  if (!baseUrl) return { provider, found: 0, problem: "its base URL is not complete" };
  try {
    const models = await ask(access, row, baseUrl);
    cache.put(provider, { models, fetchedAt: Date.now(), staticHash: "" });
    access.registry.refresh(provider);
    return { provider, found: models.length };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { provider, found: 0, problem: error.message };
  }
}

async function ask(
  access: ModelAccess,
  row: ProviderRow,
  baseUrl: string,
): Promise<DiscoveredModel[]> {
  const credential = await access.credentials.get(row.id);
  const headers: Record<string, string> = { ...row.headers };
  if (credential && row.auth !== "none") {
    if (row.auth === "bearer") headers.authorization = `Bearer ${credential.token}`;
    else headers[row.auth] = credential.token;
  }
  const quirks = mergeQuirks(row.quirks, access.registry.config.providers.get(row.id)?.compat);
  const fallbackWire = row.wire;
  return discoverModels(row.discovery!, { baseUrl, headers, fallbackWire, quirks });
}
