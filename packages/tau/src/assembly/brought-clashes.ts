// Names that are known only when features have been set up: resource schemes, parts, and tools that
// were not declared. Loaded if there is a feature from outside.

import type { PartKey } from "../base/part.ts";
import type { Feature, FeatureParts } from "../feature-api/feature.ts";
import { builtInFirst } from "../features/built-in.ts";
import { FeatureClash, ownNames, type NameOwners, type OwnName } from "../features/name-owners.ts";
import type { SchemeTable } from "../resources/schemes.ts";

interface Known {
  owners: NameOwners;
  schemes: SchemeTable;
  /** A part of the session's own. */
  isTaken(key: PartKey<unknown>): boolean;
}

/** By feature: those that cannot join. */
export function broughtClashes(
  parts: ReadonlyMap<Feature, FeatureParts>,
  { owners, schemes: known, isTaken }: Known,
): Map<Feature, FeatureClash> {
  owners.reserve("scheme", known.names);
  const keys = new Map<PartKey<unknown>, Feature>();
  const clashes = new Map<Feature, FeatureClash>();
  for (const feature of builtInFirst([...parts.keys()])) {
    const { tools = [], schemes = [], commands = [], part } = parts.get(feature)!;
    const clash =
      partClash(feature, part?.key) ??
      owners.claim(feature, [
        ...ownNames(
          "tool",
          tools.map(({ name }) => name),
        ),
        ...ownNames(
          "slash command",
          commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
        ),
        ...ownNames(
          "scheme",
          schemes.map(({ name }) => name),
        ),
      ]);
    if (clash) clashes.set(feature, clash);
    else if (part) keys.set(part.key, feature);
  }
  return clashes;

  /** Keys are told apart by themselves, not by their names. */
  function partClash(
    feature: Feature,
    key: PartKey<unknown> | undefined,
  ): FeatureClash | undefined {
    if (!key || !(keys.has(key) || isTaken(key))) return undefined;
    const claimed: OwnName = { kind: "part", name: key.name };
    return new FeatureClash(feature.name, {
      owner: keys.get(key)?.name,
      held: key.name,
      claimed,
    });
  }
}
