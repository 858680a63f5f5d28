// Reads the settings that choose models from the user's config.yml. A file with a mistake
// is reported and the rest of it counts.

import { THINKING_LEVELS } from "@tau/ai/model";
import {
  array,
  boolean,
  minValue,
  number,
  object,
  optional,
  picklist,
  pipe,
  record,
  string,
  unknown,
} from "valibot";
import { parseSettings } from "../config/parse-settings.ts";
import type { ConfigProblem } from "./config-problem.ts";
import {
  DEFAULT_MODEL_SETTINGS,
  SERVICE_TIER_SETTINGS,
  type ModelSettings,
} from "./model-settings.ts";

const count = pipe(number(), minValue(0));

/** Other settings live in the same file; only these keys are looked at here. */
const schema = object({
  modelRoles: optional(record(string(), string())),
  modelProviderOrder: optional(array(string())),
  enabledModels: optional(array(unknown())),
  disabledProviders: optional(array(unknown())),
  serviceTier: optional(picklist(SERVICE_TIER_SETTINGS)),
  defaultThinkingLevel: optional(picklist([...THINKING_LEVELS, "auto"])),
  retry: optional(
    object({
      enabled: optional(boolean()),
      maxRetries: optional(count),
      baseDelayMs: optional(count),
      maxDelayMs: optional(count),
      modelFallback: optional(boolean()),
      fallbackChains: optional(record(string(), array(string()))),
      fallbackRevertPolicy: optional(picklist(["cooldown-expiry", "never"])),
    }),
  ),
});

export async function parseModelSettings(
  text: string,
  file: string,
): Promise<{ settings: ModelSettings; problems: ConfigProblem[] }> {
  const { output, problems } = await parseSettings(text, file, schema);
  const defaults = DEFAULT_MODEL_SETTINGS;
  return {
    problems,
    settings: {
      roles: output.modelRoles ?? defaults.roles,
      providerOrder: output.modelProviderOrder ?? defaults.providerOrder,
      enabledModels: output.enabledModels ?? defaults.enabledModels,
      disabledProviders: output.disabledProviders ?? defaults.disabledProviders,
      defaultThinking: output.defaultThinkingLevel ?? defaults.defaultThinking,
      serviceTier: output.serviceTier ?? defaults.serviceTier,
      retry: { ...defaults.retry, ...output.retry },
    },
  };
}
