// Names that are known only when features have been set up: resource schemes, and tools that were not
// declared. Loaded if there is a feature from outside.

import type { Feature, FeatureParts } from "../feature-api/feature.ts";
import { builtInFirst } from "../features/built-in.ts";
import { ownNames, type FeatureClash, type NameOwners } from "../features/name-owners.ts";
import type { SchemeTable } from "../resources/schemes.ts";

/** By feature: those that cannot join. */
export function broughtClashes(
  parts: ReadonlyMap<Feature, FeatureParts>,
  { owners, schemes: known }: { owners: NameOwners; schemes: SchemeTable },
): Map<Feature, FeatureClash> {
  owners.reserve("scheme", known.names);
  const clashes = new Map<Feature, FeatureClash>();
  for (const feature of builtInFirst([...parts.keys()])) {
    const { tools = [], schemes = [] } = parts.get(feature)!;
    const clash = owners.claim(feature, [
      ...ownNames(
        "tool",
        tools.map(({ name }) => name),
      ),
      ...ownNames(
        "scheme",
        schemes.map(({ name }) => name),
      ),
    ]);
    if (clash) clashes.set(feature, clash);
  }
  return clashes;
}
