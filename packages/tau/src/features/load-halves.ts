// Loads what features bring to one of the front-ends. One from outside that cannot be loaded is left
// out there, and whoever asks is told; a built-in one that cannot is Tau's own failure.

import type { Feature } from "../feature-api/feature.ts";
import { BUILT_IN, builtInFirst } from "./built-in.ts";

export interface LoadedHalf<T> {
  readonly feature: Feature;
  readonly half: T;
}

/** The built-in ones first. `what`: in the plural, as "the commands". */
export async function loadHalves<T>(
  features: readonly Feature[],
  load: (feature: Feature) => Promise<T> | undefined,
  { what, tell }: { what: string; tell: (notice: string) => void },
): Promise<LoadedHalf<T>[]> {
  const loaded = await Promise.all(
    builtInFirst(features).map(async (feature) => {
      try {
        return { feature, half: await load(feature) };
      } catch (error) {
        if (BUILT_IN.includes(feature)) throw error;
        tell(`${what} of the feature ${feature.name} are left out: ${String(error)}`);
        return { feature, half: undefined };
      }
    }),
  );
  return loaded.flatMap(({ feature, half }) => (half === undefined ? [] : [{ feature, half }]));
}
