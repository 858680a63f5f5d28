// The rows behind the settings that choose models, and how they become what the code uses.

import { THINKING_LEVELS, type ThinkingLevel } from "@tau/ai/model";
import { amount, flag, list, map, oneOf } from "../config/setting.ts";
import { keyOf, settingGroup } from "../config/setting-group.ts";
import type { Settings } from "../config/settings.ts";
import {
  DEFAULT_MODEL_SETTINGS,
  SERVICE_TIER_SETTINGS,
  type ModelSettings,
} from "./model-settings.ts";

const { retry } = DEFAULT_MODEL_SETTINGS;

export const MODEL_ROWS = settingGroup("", "Models", {
  modelRoles: map("The model for each role: `default`, `smol`, `slow`, `plan`, `title`, …"),
  modelTags: map("Roles of your own, by name; `modelRoles` says which model each is"),
  modelProviderOrder: list("Providers in order of preference, if several offer a model"),
  enabledModels: list("Patterns of the models to choose from; entries can apply per directory"),
  disabledProviders: list("Providers whose models are not offered"),
  defaultThinkingLevel: oneOf(
    [...THINKING_LEVELS, "auto"],
    DEFAULT_MODEL_SETTINGS.defaultThinking,
    "Default thinking level (reasoning effort)",
  ),
  serviceTier: oneOf(
    SERVICE_TIER_SETTINGS,
    "none",
    "Service tier (priority of requests), for vendors that offer it",
  ),
});

export const RETRY_ROWS = settingGroup("retry", "When a model call fails", {
  enabled: flag(retry.enabled, "Whether failed calls are retried"),
  maxRetries: amount(retry.maxRetries, "Maximum number of retries", { min: 0 }),
  baseDelayMs: amount(
    retry.baseDelayMs,
    "Exponential backoff: the first delay; each later one doubles",
    {
      min: 0,
      unit: "ms",
    },
  ),
  maxDelayMs: amount(retry.maxDelayMs, "Longest delay between retries", { min: 0, unit: "ms" }),
  modelFallback: flag(retry.modelFallback, "Whether to fall back to another model"),
  fallbackChains: map("Fallback models in order, by model, role or `*`"),
  fallbackRevertPolicy: oneOf(
    ["cooldown-expiry", "never"],
    retry.fallbackRevertPolicy,
    "When to return to the original model after a fallback",
  ),
});

/** Each is a choice in the row of a provider, by the same name. */
export const PROVIDER_ROWS = settingGroup("providers", "Providers", {
  kimiApiFormat: oneOf(
    ["anthropic", "openai"],
    "anthropic",
    "API in which Kimi For Coding (`kimi-code`) is called",
  ),
  openrouterVariant: oneOf(
    ["default", "nitro", "floor", "online", "exacto"],
    "default",
    "OpenRouter variant of models that are named without one: fastest, cheapest, with web search, best at tools",
  ),
  openaiWebsockets: oneOf(
    ["auto", "off", "on"],
    "auto",
    "WebSocket instead of SSE for ChatGPT models (`openai-codex`); `auto` uses SSE",
  ),
});

export function modelSettingsFrom(settings: Settings): ModelSettings {
  const models = settings.group(MODEL_ROWS);
  const { fallbackChains, ...policy } = settings.group(RETRY_ROWS);
  return {
    roles: { ...unsetRoles(models.modelTags), ...strings(models.modelRoles) },
    providerOrder: models.modelProviderOrder.filter((one) => typeof one === "string"),
    enabledModels: models.enabledModels,
    disabledProviders: models.disabledProviders,
    defaultThinking: models.defaultThinkingLevel as ThinkingLevel | "auto",
    serviceTier: models.serviceTier,
    providers: settings.group(PROVIDER_ROWS),
    retry: { ...retry, ...policy, fallbackChains: chains(fallbackChains) },
  };
}

/** The file or the like that has the last word on a list. */
export function sourceOf(
  name: "enabledModels" | "disabledProviders",
  settings: Settings,
): string | undefined {
  return settings.explain(keyOf(MODEL_ROWS, name), MODEL_ROWS.rows[name]).given.at(-1)?.source;
}

/** A tag is a role as soon as it is named; until it has a model, it is the default one. */
function unsetRoles(tags: Readonly<Record<string, unknown>>): Record<string, undefined> {
  return Object.fromEntries(Object.keys(tags).map((name) => [name, undefined]));
}

function strings(record: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(record).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(entries) as Record<string, string>;
}

function chains(record: Readonly<Record<string, unknown>>): Record<string, string[]> {
  const entries = Object.entries(record).flatMap(([key, value]) =>
    Array.isArray(value) ? [[key, value.filter((one) => typeof one === "string")]] : [],
  );
  return Object.fromEntries(entries) as Record<string, string[]>;
}
