// The models of a registry as the picker shows them, and what the providers have now.

import type { Model } from "@tau/ai/model";
import { Equivalence } from "../../../model/equivalence.ts";
import { scopedValues } from "../../../model/scope.ts";
import { expandPattern } from "../../../model/selector.ts";
import { DEMO_SELECTOR, resolveModel } from "../../../model/resolve-model.ts";
import type { ModelAccess } from "../../../model/model-access.ts";
import type { PickableModel } from "./model-picker.ts";

/** A key must be answered within a frame; a catalog of thousands is read in several turns. */
const TURN_MS = 6;

export async function pickableModels(access: ModelAccess): Promise<PickableModel[]> {
  const found: PickableModel[] = [];
  let until = performance.now() + TURN_MS;
  for (const { id, name } of access.registry.rows()) {
    for (const model of await access.registry.models(id)) {
      found.push({ model, providerName: name, isAvailable: access.isAvailable(model) });
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
  const { env, cwd, settings, registry } = access;
  const patterns = scopedValues(settings.enabledModels, { cwd, env });
  if (patterns.length === 0) return [...found];
  const models = found.map(({ model }) => model);
  const pool = {
    models,
    equivalence: new Equivalence(models, registry.config.equivalence),
    isAvailable: (model: Model) => access.isAvailable(model),
    providerOrder: settings.providerOrder,
  };
  const wanted = new Set(patterns.flatMap((pattern) => expandPattern(pattern, pool)));
  // Patterns that match nothing must not leave an empty list.
  if (wanted.size === 0) return [...found];
  return found.map((each) => (wanted.has(each.model) ? each : { ...each, isLeftOut: true }));
}

/** Asks every provider that lists its models; one that cannot be reached keeps those it had. */
export async function refreshedModels(access: ModelAccess): Promise<PickableModel[]> {
  const { refreshDiscovery } = await import("../../../model/refresh-discovery.ts");
  await refreshDiscovery(access, []);
  return pickableModels(access);
}
