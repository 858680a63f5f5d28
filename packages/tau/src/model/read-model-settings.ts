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
  safeParse,
  string,
  unknown,
} from "valibot";
import { lineOf } from "../config/yaml-position.ts";
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
  const problems: ConfigProblem[] = [];
  const fail = (message: string, line?: number, key?: string): void => {
    const place = {
      ...(line === undefined ? {} : { line }),
      ...(key === undefined ? {} : { key }),
    };
    problems.push({ file, severity: "error", message, ...place });
  };
  let data: unknown;
  try {
    data = Bun.YAML.parse(text) ?? {};
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
    return { settings: DEFAULT_MODEL_SETTINGS, problems };
  }
  const given: Record<string, unknown> = { ...(data as object) };
  let parsed = safeParse(schema, given);
  // A key with a mistake is left out, and what is left is judged again.
  while (!parsed.success) {
    for (const issue of parsed.issues) {
      const path = (issue.path ?? []).map((item) => String(item.key));
      fail(issue.message, await lineOf(text, path), path.join("."));
      delete given[path[0] ?? ""];
    }
    if (parsed.issues.some((issue) => !issue.path))
      return { settings: DEFAULT_MODEL_SETTINGS, problems };
    parsed = safeParse(schema, given);
  }
  const { output } = parsed;
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
