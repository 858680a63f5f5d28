// The providers that features bring, with whose each is.

import type { Feature } from "../feature-api/feature.ts";
import type { BroughtProvider } from "../model/brought-providers.ts";

export function broughtProviders(
  features: readonly Feature[],
): ReadonlyMap<string, BroughtProvider> {
  const brought = features.flatMap(({ name: extension, providers = {} }) =>
    Object.entries(providers).map(([id, config]) => [id, { extension, config }] as const),
  );
  return new Map(brought);
}
