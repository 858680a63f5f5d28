// Whose a name is. Settings, tools, commands and the like are found by name, so that two features with
// the same one would get in each other's way: the second is left out whole, and the user is told.

import type { Feature } from "../feature-api/feature.ts";

export type NameKind =
  | "feature"
  | "setting"
  | "variable"
  | "option"
  | "tool"
  | "slash command"
  | "line"
  | "event"
  | "entry"
  | "scheme"
  | "subcommand"
  | "protocol command";

export interface OwnName {
  readonly kind: NameKind;
  readonly name: string;
}

/** A feature brings a name that is somebody else's. */
export class FeatureClash extends Error {
  override readonly name = "FeatureClash";
  /** The one that is left out. */
  readonly feature: string;
  /** The feature that has it; undefined if it is one of Tau's own. */
  readonly owner: string | undefined;
  readonly claimed: OwnName;

  constructor(feature: string, owner: string | undefined, claimed: OwnName) {
    const { kind, name } = claimed;
    const whose = owner === undefined ? "is Tau's own" : `belongs to the feature ${owner}`;
    super(`the feature ${feature} is left out: the ${kind} ${name} ${whose}; rename it`);
    this.feature = feature;
    this.owner = owner;
    this.claimed = claimed;
  }
}

export class NameOwners {
  /** Null stands for Tau itself. */
  readonly #owners = new Map<string, Feature | null>();

  /** Tau's own. */
  reserve(kind: NameKind, names: Iterable<string>): void {
    for (const name of names) this.#owners.set(keyOf({ kind, name }), null);
  }

  /** All of them, or none and what is in the way. */
  claim(feature: Feature, names: readonly OwnName[]): FeatureClash | undefined {
    for (const one of names) {
      const owner = this.#owners.get(keyOf(one));
      if (owner === undefined || owner === feature) continue;
      return new FeatureClash(feature.name, owner?.name, one);
    }
    for (const one of names) this.#owners.set(keyOf(one), feature);
    return undefined;
  }
}

function keyOf({ kind, name }: OwnName): string {
  return `${kind} ${name}`;
}

export function ownNames(kind: NameKind, names: readonly string[]): OwnName[] {
  return names.map((name) => ({ kind, name }));
}
