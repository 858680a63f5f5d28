// The names of the tools that features bring.

import type { Feature } from "../feature-api/feature.ts";
import { BUILT_IN } from "./built-in.ts";

export function toolNamesOf(features: readonly Feature[]): string[] {
  return features.flatMap(({ tools }) => tools ?? []);
}

/** Those that come with Tau. */
export const BUILT_IN_TOOLS: readonly string[] = toolNamesOf(BUILT_IN);
