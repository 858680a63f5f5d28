// An extension whose code is in the process: what a session takes in of it, and what it registers.

import type { Feature } from "../feature-api/feature.ts";
import type { ExtensionSource } from "./extension-source.ts";
import type { Inspection } from "./inspection.ts";

export interface LoadedExtension {
  readonly source: ExtensionSource;
  /** Of one session: its functions keep what they know to themselves. */
  readonly feature: Feature;
  readonly inspection: Inspection;
  /** A feature as Tau's own are, and not one of the family's. */
  readonly isOwnKind: boolean;
  /** Sentences for the user: what of it is left out. */
  readonly notices: readonly string[];
}

/** Whoever makes a feature of a module's default export. */
export interface ExtensionPlace {
  readonly source: ExtensionSource;
  readonly cwd: string;
  /** The same for all that are loaded together: those of one session. */
  readonly group: object;
  /** What the command line says of its flags, by name. */
  readonly flags: Readonly<Record<string, string | true>>;
}
