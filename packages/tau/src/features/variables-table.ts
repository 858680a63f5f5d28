// Every variable of Tau's there is: its own, then those of the features, which keep their rows beside
// their code.

import { ENVIRONMENT } from "../config/environment-table.ts";
import { KnownVariables } from "../config/known-variables.ts";
import type { Feature } from "../feature-api/feature.ts";
import { BUILT_IN } from "./built-in.ts";

export function variablesOf(features: readonly Feature[]): KnownVariables {
  return new KnownVariables(ENVIRONMENT, ...features.map(({ variables = {} }) => variables));
}

export const VARIABLES: KnownVariables = variablesOf(BUILT_IN);
