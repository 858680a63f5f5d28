// A model of the user's own, or a built-in one with the user's changes. Facts that the
// user leaves out come from what is known of models of that name anywhere.

import { capabilitiesOf } from "@tau/ai/catalog/capabilities";
import type { Environment } from "@tau/ai/environment";
import { THINKING_LEVELS, type AuthStyle, type Model, type ThinkingLevel } from "@tau/ai/model";
import { rowAt, type ProviderRow } from "@tau/ai/provider-row";
import { modelOf } from "@tau/ai/providers";
import { mergeQuirks } from "@tau/ai/providers/quirk-merge";
import type { CustomModel, ModelOverride, ProviderConfig } from "./models-yml-schema.ts";

type ThinkingConfig = NonNullable<ModelOverride["thinking"]>;
type Headers = NonNullable<Model["headers"]>;

/** What a model that thinks accepts where nothing more is known of it. */
const USUAL_LEVELS: readonly ThinkingLevel[] = ["minimal", "low", "medium", "high"];

/** The provider's row with the user's changes; or a new one for a provider of the user's. */
export function configuredRow(
  id: string,
  config: ProviderConfig,
  builtIn: ProviderRow | undefined,
): ProviderRow {
  const wire = config.transport ? "tau-native" : (config.api ?? builtIn?.wire);
  const base: ProviderRow = builtIn ?? {
    id,
    name: id,
    wire: wire ?? "openai-completions",
    baseUrl: config.baseUrl ?? "",
    auth: "bearer",
    keyEnv: [],
  };
  const row: ProviderRow = {
    ...(config.baseUrl ? rowAt(base, config.baseUrl) : base),
    wire: wire ?? base.wire,
  };
  if (config.auth === "none")
    Object.assign(row, { keyless: true, auth: "none" satisfies AuthStyle });
  else if (config.authHeader) row.auth = "bearer";
  else if (!builtIn) row.auth = authOf(row.wire);
  if (config.apiKeyEnv) row.keyEnv = [config.apiKeyEnv, ...row.keyEnv];
  if (config.discovery) row.discovery = config.discovery.type;
  return row;
}

/** The provider-wide settings, laid on one of its models. */
export function withProvider(model: Model, config: ProviderConfig): Model {
  const changed: Model = { ...model };
  const headers = mergeHeaders(model.headers, config.headers, config.requestTransform?.setHeaders);
  if (headers) changed.headers = headers;
  const quirks = mergeQuirks(
    model.quirks,
    config.compat,
    strictQuirk(config),
    transformQuirk(config),
  );
  if (quirks) changed.quirks = quirks;
  if (config.cacheRetention) changed.cacheRetention = config.cacheRetention;
  return changed;
}

export function withOverride(model: Model, override: ModelOverride): Model {
  const changed: Model = { ...model };
  if (override.name) changed.name = override.name;
  if (override.input) changed.input = override.input;
  if (override.cost) changed.cost = { ...model.cost, ...override.cost };
  if (override.contextWindow) changed.contextWindow = override.contextWindow;
  if (override.maxTokens) changed.maxOutput = override.maxTokens;
  if (override.wireModelId) changed.wireModelId = override.wireModelId;
  if (override.cacheRetention) changed.cacheRetention = override.cacheRetention;
  if (override.contextPromotionTarget) changed.promotionTarget = override.contextPromotionTarget;
  if (override.premiumMultiplier !== undefined) {
    changed.premiumMultiplier = override.premiumMultiplier;
  }
  const headers = mergeHeaders(
    model.headers,
    override.headers,
    override.requestTransform?.setHeaders,
  );
  if (headers) changed.headers = headers;
  // Whoever says how much a model may write means it to be sent.
  const sent = override.maxTokens === undefined ? undefined : { alwaysSendMaxTokens: true };
  const quirks = mergeQuirks(model.quirks, sent, override.compat, transformQuirk(override));
  if (quirks) changed.quirks = quirks;
  applyThinking(changed, override);
  return changed;
}

/** A model of which only the name is known; everything else is an assumption to override. */
export function plainModel(
  row: ProviderRow,
  named: Pick<CustomModel, "id" | "api" | "baseUrl">,
  env: Environment,
): Model {
  const wire = row.wire === "tau-native" ? row.wire : (named.api ?? row.wire);
  const model = modelOf({ ...row, wire }, named.id, env, capabilitiesOf(named.id, wire));
  return named.baseUrl ? { ...model, baseUrl: named.baseUrl } : model;
}

function applyThinking(model: Model, { reasoning, thinking }: ModelOverride): void {
  if (reasoning === false) delete model.thinking;
  else if (thinking) model.thinking = levelsOf(thinking, model.thinking ?? USUAL_LEVELS);
  else if (reasoning) model.thinking ??= USUAL_LEVELS;
  if (thinking?.defaultLevel) model.defaultThinking = thinking.defaultLevel;
}

function levelsOf(config: ThinkingConfig, usual: readonly ThinkingLevel[]): ThinkingLevel[] {
  const rank = (level: ThinkingLevel): number => THINKING_LEVELS.indexOf(level);
  const listed = config.levels ?? (config.minLevel || config.maxLevel ? THINKING_LEVELS : usual);
  const low = rank(config.minLevel ?? "minimal");
  const high = rank(config.maxLevel ?? "xhigh");
  return listed.filter((level) => level !== "off" && rank(level) >= low && rank(level) <= high);
}

function authOf(wire: string): AuthStyle {
  if (wire === "anthropic-messages") return "x-api-key";
  return wire === "google-generative-ai" ? "x-goog-api-key" : "bearer";
}

function strictQuirk(config: ProviderConfig): Record<string, unknown> | undefined {
  return config.disableStrictTools ? { disableStrictTools: true } : undefined;
}

function transformQuirk(
  config: ModelOverride | ProviderConfig,
): Record<string, unknown> | undefined {
  const extra = config.requestTransform?.extraBody;
  return extra && { extraBody: extra };
}

function mergeHeaders(...layers: (Headers | undefined)[]): Headers | undefined {
  const given = layers.filter((layer) => layer !== undefined);
  return given.length === 0 ? undefined : Object.assign({}, ...given);
}
