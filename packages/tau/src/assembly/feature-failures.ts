// Features that fail before they have joined. One from outside is left out and the user is told, by its
// name; a built-in one that fails is Tau's own failure: there is no session without it.

import type { Feature } from "../feature-api/feature.ts";
import { BUILT_IN } from "../features/built-in.ts";
import { UserError } from "../user-error.ts";

export class FeatureFailures {
  readonly #tell: (notice: string) => void;
  readonly #leftOut = new Set<Feature>();

  constructor(tell: (notice: string) => void) {
    this.#tell = tell;
  }

  get leftOut(): ReadonlySet<Feature> {
    return this.#leftOut;
  }

  /** Its answer, or undefined if it failed and is left out. */
  ask<T>(feature: Feature, step: string, question: () => T): T | undefined {
    try {
      return question();
    } catch (error) {
      this.note(feature, step, error);
      return undefined;
    }
  }

  /** Throws if it is a built-in one. */
  note(feature: Feature, step: string, error: unknown): void {
    const words = error instanceof Error ? error.message : String(error);
    if (BUILT_IN.includes(feature)) {
      // What the user can mend says so itself.
      if (error instanceof UserError) throw error;
      throw new Error(`The feature ${feature.name} failed at ${step}: ${words}`, { cause: error });
    }
    this.#leftOut.add(feature);
    this.tell(feature, `is left out: it failed at ${step}: ${words}`);
  }

  tell({ name }: Feature, what: string): void {
    this.#tell(`the feature ${name} ${what}`);
  }
}
