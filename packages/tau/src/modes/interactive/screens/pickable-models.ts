// The models of a registry as the picker shows them, and what the providers have now.

import { selectorOf } from "../../../model/equivalence.ts";
import { DEMO_SELECTOR, modelPool, resolveModel } from "../../../model/resolve-model.ts";
import type { ModelAccess } from "../../../model/model-access.ts";
import type { PickableModel } from "./model-picker.ts";

/** A key must be answered within a frame; a catalog of thousands is read in several turns. */
const TURN_MS = 6;

export async function pickableModels(access: ModelAccess): Promise<PickableModel[]> {
  const found: PickableModel[] = [];
  let until = performance.now() + TURN_MS;
  for (const { id, name } of access.registry.rows()) {
    for (const model of await access.registry.models(id)) {
      found.push({ model, providerName: name, isAvailable: access.isAvailableByName(model) });
    }
    if (performance.now() < until) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    until = performance.now() + TURN_MS;
  }
  const { model } = await resolveModel(access, DEMO_SELECTOR);
  found.push({ model, providerName: "Offline", isAvailable: true });
  return markLeftOut(access, found);
}

/** The settings may name the models to choose from; without them, all are. */
async function markLeftOut(
  access: ModelAccess,
  found: readonly PickableModel[],
): Promise<PickableModel[]> {
  const { models } = await modelPool(access);
  const wanted = new Set(models.map(selectorOf));
  const isWanted = ({ model }: PickableModel): boolean =>
    model.wire === "in-process" || wanted.has(selectorOf(model));
  return found.map((each) => (isWanted(each) ? each : { ...each, isLeftOut: true }));
}

/** Asks every provider that lists its models; one that cannot be reached keeps those it had. */
export async function refreshedModels(access: ModelAccess): Promise<PickableModel[]> {
  const { refreshDiscovery } = await import("../../../model/refresh-discovery.ts");
  await refreshDiscovery(access, []);
  return pickableModels(access);
}
