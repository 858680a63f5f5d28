// One thing that was found, and what could not be found out.

import type { ConfigProblem } from "../base/config-problem.ts";
import type { KindId } from "./kinds.ts";
import type { RowPlugin } from "./row.ts";
import type { SourceId } from "../config/sources.ts";

export type ItemLevel = "user" | "project";

export interface HeldBack {
  reason:
    /** Its real path leads out of the project. */
    | "outside"
    /** Its name would mean something else in a path, a command or on a terminal. */
    | "name"
    /** Something it must say is missing. */
    | "incomplete"
    /** It would run something, and the user has not allowed the project, or not as it is now. */
    | "untrusted"
    | "changed";
  /** The second half of a sentence. */
  why: string;
}

export interface DiscoveredItem {
  readonly kind: KindId;
  readonly name: string;
  readonly source: SourceId;
  readonly level: ItemLevel;
  /** Where it was found. */
  readonly path: string;
  /** The same, without links; absent where it leads out of the project. */
  readonly realPath?: string;
  /** The fixed beginning of the pattern that found it: the directory of all of its kind. */
  readonly holder: string;
  /** How many directories above the working directory; 0 for the user's own. */
  readonly depth: number;
  /** Unknown keys too; types are for the caller to check. */
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** Where the file holds several items: the way to this one, and what stands there. */
  readonly member?: { readonly path: readonly string[]; readonly value: unknown };
  readonly bodyKey?: string;
  /** Sets apart what does not compete with the others of its directory. */
  readonly variant?: string;
  /** Does not compete with others of its name. */
  readonly addsUp?: boolean;
  readonly isInert: boolean;
  /** The installed plugin that brings it. */
  readonly plugin?: Pick<RowPlugin, "name" | "root" | "settings">;
  readonly heldBack?: HeldBack;
  /** The same thing is nearer, or from a source that comes first. */
  readonly isShadowed: boolean;
  readonly shadowedBy?: DiscoveredItem;
}

export type DiscoveryProblem = ConfigProblem;

/** May take effect. Of what discovery alone has found, trust has the last word. */
export function isInForce(item: DiscoveredItem): boolean {
  return !item.isShadowed && item.heldBack === undefined && !item.isInert;
}
