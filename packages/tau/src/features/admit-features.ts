// Which of the features that somebody brings can be had together: those whose names are theirs alone.

import { ENVIRONMENT } from "../config/environment-table.ts";
import { keyOf } from "../config/setting-group.ts";
import type { Feature } from "../feature-api/feature.ts";
import { EVENT_TABLE } from "../session/event-table.ts";
import { BUILT_IN, builtInFirst } from "./built-in.ts";
import { NameOwners, ownNames, type FeatureClash, type OwnName } from "./name-owners.ts";
import { RESERVED_COMMANDS } from "./reserved-commands.ts";
import { settingsTableOf } from "./settings-table.ts";

export interface AdmittedFeatures {
  /** In the order in which they were given. */
  readonly features: readonly Feature[];
  readonly clashes: readonly FeatureClash[];
  /** Those whose names cannot be read: what they say of themselves has the wrong form. */
  readonly broken: ReadonlyMap<Feature, unknown>;
  /** For names that are known only when a feature is loaded or set up. */
  readonly owners: NameOwners;
}

/** `known`: those of which it is known that they can be had together. */
export function admitFeatures(
  given: readonly Feature[],
  known: readonly Feature[] = BUILT_IN,
): AdmittedFeatures {
  const owners = new NameOwners();
  owners.reserve("setting", settingsTableOf([]).keys());
  owners.reserve("variable", Object.keys(ENVIRONMENT));
  owners.reserve("event", Object.keys(EVENT_TABLE));
  owners.reserve("slash command", RESERVED_COMMANDS);
  const clashes: FeatureClash[] = [];
  const left = new Set<Feature>();
  // One that is listed twice is had once.
  const once = [...new Set(given)];
  const broken = new Map<Feature, unknown>();
  for (const feature of builtInFirst(once)) {
    try {
      const names = namesOf(feature);
      const clash = known.includes(feature)
        ? owners.hold(feature, names)
        : owners.claim(feature, names);
      if (!clash) continue;
      clashes.push(clash);
    } catch (error) {
      broken.set(feature, error);
    }
    left.add(feature);
  }
  return { features: once.filter((one) => !left.has(one)), clashes, broken, owners };
}

/** All that is known of it before anything of it is loaded. */
export function namesOf(feature: Feature): OwnName[] {
  const { settings = [], variables = {}, wishes = [], tools = [], commands = [] } = feature;
  const { lines = [], events = {}, entries = [] } = feature;
  const keys = settings.flatMap((group) =>
    Object.keys(group.rows).map((name) => keyOf(group, name)),
  );
  return [
    ...ownNames("feature", [feature.name]),
    // A variable may stand for a setting of its own feature, and for nobody else's.
    ...ownNames("setting", [
      ...keys,
      ...Object.values(variables).flatMap(({ setting }) => setting ?? []),
    ]),
    ...ownNames("variable", Object.keys(variables)),
    ...ownNames("option", wishes),
    ...ownNames("tool", tools),
    ...ownNames(
      "slash command",
      commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
    ),
    ...ownNames(
      "line",
      lines.map(({ sign }) => sign),
    ),
    ...ownNames("event", Object.keys(events)),
    ...ownNames(
      "entry",
      entries.map(({ customType }) => customType),
    ),
  ];
}
