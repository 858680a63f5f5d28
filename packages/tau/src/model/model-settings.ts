// The settings that choose models, and what holds where the user set nothing.

import { DEFAULT_RETRY, type RetrySettings } from "@tau/ai/failure-policy";
import type { ThinkingLevel } from "@tau/ai/model";

export interface ModelSettings {
  roles: Readonly<Record<string, string>>;
  providerOrder: readonly string[];
  enabledModels: readonly unknown[];
  disabledProviders: readonly unknown[];
  defaultThinking: ThinkingLevel | "auto";
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
  retry: {
    ...DEFAULT_RETRY,
    modelFallback: true,
    fallbackChains: {},
    fallbackRevertPolicy: "cooldown-expiry",
  },
};
