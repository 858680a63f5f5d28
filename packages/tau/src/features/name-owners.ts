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
  | "part"
  | "subcommand"
  | "protocol command";

export interface OwnName {
  readonly kind: NameKind;
  readonly name: string;
}

interface ClashReason {
  /** Undefined if it is one of Tau's own. */
  readonly owner: string | undefined;
  /** The name that is in the way. */
  readonly held: string;
}

/** A feature brings a name that is somebody else's. */
export class FeatureClash extends Error {
  override readonly name = "FeatureClash";
  /** The one that is left out. */
  readonly feature: string;
  /** The feature that has it; undefined if it is one of Tau's own. */
  readonly owner: string | undefined;
  readonly claimed: OwnName;

  /** `lost`: what of the feature is left out, if it is not the whole. */
  constructor(
    feature: string,
    { owner, claimed, held, lost }: ClashReason & { claimed: OwnName; lost?: string },
  ) {
    const { kind, name } = claimed;
    const whose = owner === undefined ? "is Tau's own" : `belongs to the feature ${owner}`;
    const what = lost === undefined ? `the feature ${feature} is` : `${lost} ${feature} are`;
    const where = held === name ? name : `${name} takes in or is part of ${held}, which`;
    super(`${what} left out: the ${kind} ${where} ${whose}; rename it`);
    this.feature = feature;
    this.owner = owner;
    this.claimed = claimed;
  }
}

/** What only some of a feature goes with: it is that which is left out. */
const LOST: Partial<Record<NameKind, string>> = {
  subcommand: "the subcommands of the feature",
  "protocol command": "the protocol commands of the feature",
};

export class NameOwners {
  /** By kind and name; null stands for Tau itself. */
  readonly #owners = new Map<NameKind, Map<string, Feature | null>>();

  /** Tau's own. */
  reserve(kind: NameKind, names: Iterable<string>): void {
    for (const name of names) this.#of(kind).set(name, null);
  }

  /** Without looking: a test says that nobody else has them. */
  hold(feature: Feature, names: readonly OwnName[]): void {
    for (const { kind, name } of names) this.#of(kind).set(name, feature);
  }

  /** All of them, or none and what is in the way. */
  claim(feature: Feature, names: readonly OwnName[]): FeatureClash | undefined {
    for (const claimed of names) {
      const reason = this.#inTheWay(feature, claimed);
      if (!reason) continue;
      return new FeatureClash(feature.name, { ...reason, claimed, lost: LOST[claimed.kind] });
    }
    this.hold(feature, names);
    return undefined;
  }

  #inTheWay(feature: Feature, { kind, name }: OwnName): ClashReason | undefined {
    const known = this.#of(kind);
    const exact = known.get(name);
    if (exact !== undefined && exact !== feature) return { owner: exact?.name, held: name };
    if (kind !== "setting") return undefined;
    for (const [held, owner] of known) {
      if (owner !== feature && isNested(held, name)) return { owner: owner?.name, held };
    }
    return undefined;
  }

  #of(kind: NameKind): Map<string, Feature | null> {
    const known = this.#owners.get(kind) ?? new Map<string, Feature | null>();
    this.#owners.set(kind, known);
    return known;
  }
}

/** A row for `tools` would swallow `tools.rules`, and one for `tools.rules.x` would be swallowed. */
function isNested(one: string, other: string): boolean {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  return longer[shorter.length] === "." && longer.startsWith(shorter);
}

export function ownNames(kind: NameKind, names: readonly string[]): OwnName[] {
  return names.map((name) => ({ kind, name }));
}
