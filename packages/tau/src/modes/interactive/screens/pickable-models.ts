// The models of a registry as the picker shows them, and what the providers have now.

import { DEMO_SELECTOR, modelPool, resolveModel } from "../../../model/resolve-model.ts";
import type { ModelAccess } from "../../../model/model-access.ts";
import type { PickableModel } from "./model-picker.ts";

export async function pickableModels(access: ModelAccess): Promise<PickableModel[]> {
  const [{ models }, demo] = await Promise.all([
    modelPool(access),
    resolveModel(access, DEMO_SELECTOR),
  ]);
  const names = new Map(access.registry.rows().map(({ id, name }) => [id, name]));
  return [...models, demo.model].map((model) => ({
    model,
    providerName: names.get(model.provider) ?? (model === demo.model ? "Offline" : model.provider),
    isAvailable: access.isAvailable(model),
  }));
}

/** Asks every provider that lists its models; one that cannot be reached keeps those it had. */
export async function refreshedModels(access: ModelAccess): Promise<PickableModel[]> {
  const { refreshDiscovery } = await import("../../../model/refresh-discovery.ts");
  await refreshDiscovery(access, []);
  return pickableModels(access);
}
