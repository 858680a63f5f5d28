// `ctx.modelRegistry`: which models there are, and how to ask them. Keys and logins stay with Tau: what an
// extension gets for a key is a word that only the functions for models understand, which are Tau's too.
// An extension that calls a vendor by itself has to be given a key of its own by its user.

import type { FeatureHost } from "../../feature-api/feature.ts";
import { complete, stream } from "../shims/ask-model.ts";
import { FamilyModels } from "./family-models.ts";
import { toFamilyModel } from "./family-model.ts";
import { toProvider } from "./family-provider.ts";

/** Sent to a vendor it is refused, and whoever reads the refusal finds out what it is. */
const KEPT_KEY = "kept-by-tau";

type Named = { provider?: unknown; id?: unknown } | undefined;

export function makeModelRegistry({ session }: FeatureHost, extension: string): object {
  const models = FamilyModels.of(session);
  const has = (provider: unknown): boolean => models.isAvailable(String(provider));
  const keyOf = async (provider: unknown): Promise<string | undefined> =>
    has(provider) ? KEPT_KEY : undefined;
  const find = (provider: string, id: string): object | undefined => {
    const found = models.find(provider, id);
    return found && toFamilyModel(found.model);
  };
  return {
    getAll: () => models.list.map(({ model }) => toFamilyModel(model)),
    getAvailable: () =>
      models.list.filter((one) => one.isAvailable).map(({ model }) => toFamilyModel(model)),
    find,
    getModel: find,
    hasConfiguredAuth: (model: Named) => has(model?.provider),
    isUsingOAuth: () => false,
    getApiKey: (model: Named) => keyOf(model?.provider),
    getApiKeyForProvider: keyOf,
    async getApiKeyAndHeaders(model: Named) {
      const apiKey = await keyOf(model?.provider);
      if (apiKey !== undefined) return { ok: true, apiKey, headers: {} };
      return { ok: false, error: `no API key for ${String(model?.provider)}` };
    },
    getProviderAuthStatus: (provider: string) => ({ configured: has(provider) }),
    getProviderDisplayName: (provider: string) => provider,
    getProviderAuth: async () => undefined,
    getProvider: () => undefined,
    authStorage: {
      getApiKey: keyOf,
      hasAuth: has,
      has,
      get: () => undefined,
      list: () => [],
    },
    getError: () => undefined,
    refresh: () => models.refresh(),
    registerProvider: (id: string, config: unknown) =>
      models.bring(id, { extension, config: toProvider(config) }),
    complete,
    completeSimple: complete,
    stream,
    streamSimple: stream,
  };
}
