// What models.yml says, once read. Apart from its reader, so that a run without the file
// does not load one.

import type { ConfigProblem } from "../base/config-problem.ts";
import type { TargetCaller } from "./model-target.ts";
import type {
  EquivalenceConfig,
  ModelBindings,
  ProfileConfig,
  ProviderConfig,
} from "./models-yml-schema.ts";

export interface ModelsConfig {
  providers: Map<string, ProviderConfig>;
  /** Which of them an extension brings, by id, and which one. */
  broughtBy: Map<string, string>;
  /** Those of them that are code, by id. */
  clients: Map<string, TargetCaller>;
  equivalence: EquivalenceConfig;
  profiles: Map<string, ProfileConfig>;
  bindings: ModelBindings;
  problems: ConfigProblem[];
}

export function emptyModelsConfig(): ModelsConfig {
  return {
    providers: new Map(),
    broughtBy: new Map(),
    clients: new Map(),
    equivalence: {},
    profiles: new Map(),
    bindings: {},
    problems: [],
  };
}
