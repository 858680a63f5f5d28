// What may stand in models.yml. Unknown keys are errors: a setting that is silently
// ignored is worse than one that is refused.

import { THINKING_LEVELS } from "@tau/ai/model";
import {
  array,
  boolean,
  type InferOutput,
  minValue,
  nonEmpty,
  nullable,
  number,
  optional,
  partial,
  picklist,
  pipe,
  record,
  strictObject,
  string,
  unknown,
} from "valibot";

export const CONFIGURABLE_WIRES = [
  "openai-completions",
  "openai-responses",
  "openai-codex-responses",
  "azure-openai-responses",
  "anthropic-messages",
  "google-generative-ai",
  "google-vertex",
  "bedrock-converse-stream",
  "ollama-chat",
  "cursor-agent",
] as const;

export const DISCOVERY_KINDS = [
  "ollama",
  "llama.cpp",
  "lm-studio",
  "openai-models-list",
  "proxy",
  "cursor",
] as const;

const text = pipe(string(), nonEmpty("must not be empty"));
const positive = pipe(number(), minValue(1, "must be greater than 0"));
const price = pipe(number(), minValue(0, "must not be negative"));
const strings = record(string(), string());
const level = picklist(THINKING_LEVELS);
const wire = picklist(CONFIGURABLE_WIRES);
const cacheRetention = picklist(["none", "short", "long"]);

const cost = partial(
  strictObject({ input: price, output: price, cacheRead: price, cacheWrite: price }),
);

const thinking = strictObject({
  mode: optional(picklist(["effort", "budget"])),
  minLevel: optional(level),
  maxLevel: optional(level),
  defaultLevel: optional(level),
  levels: optional(array(level)),
});

const requestTransform = strictObject({
  profile: optional(picklist(["openai-proxy"])),
  stripHeaders: optional(array(text)),
  setHeaders: optional(record(string(), nullable(string()))),
  extraBody: optional(record(string(), unknown())),
});

/** The keys of `compat` are the wires' own quirks; each wire ignores those of another. */
const compat = record(string(), unknown());

const overridable = {
  name: text,
  reasoning: boolean(),
  thinking,
  input: array(picklist(["text", "image"])),
  cost,
  premiumMultiplier: price,
  contextWindow: positive,
  maxTokens: positive,
  headers: strings,
  compat,
  contextPromotionTarget: text,
  cacheRetention,
  wireModelId: text,
  requestTransform,
};

const modelOverride = partial(strictObject(overridable));

const customModel = strictObject({
  ...modelOverride.entries,
  id: text,
  api: optional(wire),
  baseUrl: optional(text),
});

export const providerSchema = strictObject({
  baseUrl: optional(text),
  apiKey: optional(text),
  apiKeyEnv: optional(text),
  api: optional(wire),
  auth: optional(picklist(["apiKey", "none", "oauth"])),
  authHeader: optional(boolean()),
  headers: optional(strings),
  disableStrictTools: optional(boolean()),
  cacheRetention: optional(cacheRetention),
  compat: optional(compat),
  requestTransform: optional(requestTransform),
  transport: optional(picklist(["tau-native", "pi-native"])),
  discovery: optional(strictObject({ type: picklist(DISCOVERY_KINDS) })),
  modelOverrides: optional(record(string(), modelOverride)),
  models: optional(array(customModel)),
});

export const equivalenceSchema = strictObject({
  overrides: optional(strings),
  exclude: optional(array(text)),
});

export const profileSchema = strictObject({
  required_providers: optional(array(text)),
  model_mapping: record(string(), text),
});

export const bindingsSchema = strictObject({
  modelRoles: optional(strings),
  agentModelOverrides: optional(strings),
});

export type ProviderConfig = InferOutput<typeof providerSchema>;
export type CustomModel = InferOutput<typeof customModel>;
export type ModelOverride = InferOutput<typeof modelOverride>;
export type EquivalenceConfig = InferOutput<typeof equivalenceSchema>;
export type ProfileConfig = InferOutput<typeof profileSchema>;
export type ModelBindings = InferOutput<typeof bindingsSchema>;
