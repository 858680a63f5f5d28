// The settings that choose models, and what holds where the user set nothing.

import { DEFAULT_RETRY, type RetrySettings } from "@tau/ai/failure-policy";
import type { Model, ThinkingLevel } from "@tau/ai/model";
import { SERVICE_TIERS, type ServiceTier } from "@tau/ai/request";

export const SERVICE_TIER_SETTINGS = [
  "none",
  ...SERVICE_TIERS,
  "openai-only",
  "claude-only",
] as const;
export type ServiceTierSetting = (typeof SERVICE_TIER_SETTINGS)[number];

export interface ModelSettings {
  /** Without a model: a role that the settings name, but do not set. */
  roles: Readonly<Record<string, string | undefined>>;
  providerOrder: readonly string[];
  enabledModels: readonly unknown[];
  disabledProviders: readonly unknown[];
  defaultThinking: ThinkingLevel | "auto";
  /** `none` sends nothing; the last two send `priority` to that vendor alone. */
  serviceTier: ServiceTierSetting;
  /** `providers.*`: what the providers' rows let the user choose, by the setting's name. */
  providers: Readonly<Record<string, string>>;
  retry: RetrySettings & {
    modelFallback: boolean;
    fallbackChains: Readonly<Record<string, readonly string[]>>;
    fallbackRevertPolicy: "cooldown-expiry" | "never";
  };
}

/** What a thinking model is asked for where nobody chose: quality first, as users expect. */
const DEFAULT_THINKING: ThinkingLevel = "high";

export const DEFAULT_MODEL_SETTINGS: ModelSettings = {
  roles: {},
  providerOrder: [],
  enabledModels: [],
  disabledProviders: [],
  defaultThinking: DEFAULT_THINKING,
  serviceTier: "none",
  providers: {},
  retry: {
    ...DEFAULT_RETRY,
    modelFallback: true,
    fallbackChains: {},
    fallbackRevertPolicy: "cooldown-expiry",
  },
};

/** What a setting means for one model. */
export function serviceTierFor(setting: ServiceTierSetting, model: Model): ServiceTier | undefined {
  if (setting === "none") return undefined;
  const isClaude = model.wire === "anthropic-messages";
  if (setting === "claude-only") return isClaude ? "priority" : undefined;
  if (setting === "openai-only") return isClaude ? undefined : "priority";
  return setting;
}
