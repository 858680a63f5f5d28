// Neutral request → Chat Completions body: everything but the messages themselves.

import { wireNameOf } from "../../model.ts";
import type { JsonSchema, ModelRequest, ToolChoice } from "../../request.ts";
import { OPENAI, fitSchema } from "../../schema/tool-schema.ts";
import { OPENAI_STRICT } from "../../schema/openai-strict.ts";
import type { EncodedRequest } from "../../wire.ts";
import { addExtraBody } from "../extra-body.ts";
import { asObject, asString, type Json } from "../json.ts";
import { addSampling } from "../sampling.ts";
import { thinkingLevel } from "../thinking-effort.ts";
import { addCacheMarkers } from "./cache-markers.ts";
import { encodeMessages } from "./encode-messages.ts";
import { addReasoning } from "./encode-reasoning.ts";
import { quirksOf, type CompletionsQuirks, type GatewayRouting } from "./quirks.ts";

const OPENROUTER_HOST = "openrouter.ai";
const VERCEL_GATEWAY_HOST = "ai-gateway.vercel.sh";

export function encodeRequest(request: ModelRequest): EncodedRequest {
  const { model } = request;
  const level = thinkingLevel(request);
  const quirks = quirksOf(model, { thinking: level !== undefined && level !== "off" });
  const body: Json = {
    model: wireNameOf(model),
    messages: encodeMessages(request, quirks),
    stream: request.stream,
  };
  if (request.stream && quirks.supportsUsageInStreaming) {
    body.stream_options = { include_usage: true };
  }
  if (quirks.supportsStore) body.store = false;
  addTools(request, quirks, body);
  addLimits(request, quirks, body);
  addReasoning(level, quirks, body);
  const effort = asString(body.reasoning_effort) ?? asString(asObject(body.reasoning)?.effort);
  addSampling(request, { body, effort, isFree: quirks.supportsSamplingWhileThinking });
  if (request.cacheKey !== undefined && quirks.supportsPromptCacheKey) {
    body.prompt_cache_key = request.cacheKey;
  }
  if (request.cacheRetention === "long" && quirks.supportsLongPromptCacheRetention) {
    body.prompt_cache_retention = "24h";
  }
  addRouting(model.baseUrl, quirks, body);
  if (quirks.cacheControlFormat === "anthropic" && request.cacheRetention !== "none") {
    addCacheMarkers(body);
  }
  if (request.serviceTier !== undefined && quirks.supportsServiceTier) {
    body.service_tier = request.serviceTier;
  }
  addExtraBody(body, quirks.extraBody);
  return { path: "/chat/completions", headers: {}, body };
}

function addTools(request: ModelRequest, quirks: CompletionsQuirks, body: Json): void {
  if (request.tools.length === 0) return;
  body.tools = request.tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, ...fitParameters(parameters, quirks) },
  }));
  const choice = request.toolChoice;
  if (choice === undefined || !quirks.supportsToolChoice) return;
  // A choice that names no tool of this request would be refused with the whole request.
  if (typeof choice !== "string" && !request.tools.some(({ name }) => name === choice.name)) return;
  body.tool_choice = encodeToolChoice(choice);
}

/** The promise of strictness is made only for schemas that keep it. */
function fitParameters(parameters: JsonSchema, quirks: CompletionsQuirks): Json {
  const plain = fitSchema(parameters, OPENAI).schema;
  if (!quirks.supportsStrictMode || quirks.disableStrictTools) return { parameters: plain };
  if (quirks.toolStrictMode === "none") return { parameters: plain, strict: false };
  const { schema, strict } = fitSchema(parameters, OPENAI_STRICT);
  if (strict) return { parameters: schema, strict };
  return { parameters: plain, strict: quirks.toolStrictMode === "all_strict" ? strict : undefined };
}

function encodeToolChoice(choice: ToolChoice): unknown {
  return typeof choice === "string"
    ? choice
    : { type: "function", function: { name: choice.name } };
}

function addLimits(request: ModelRequest, quirks: CompletionsQuirks, body: Json): void {
  const limit =
    request.maxOutput ?? (quirks.alwaysSendMaxTokens ? request.model.maxOutput : undefined);
  if (limit !== undefined) body[quirks.maxTokensField] = limit;
}

function addRouting(baseUrl: string, quirks: CompletionsQuirks, body: Json): void {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
  if (quirks.openRouterRouting && isHost(host, OPENROUTER_HOST)) {
    body.provider = chosen(quirks.openRouterRouting);
  }
  if (quirks.vercelGatewayRouting && isHost(host, VERCEL_GATEWAY_HOST)) {
    body.providerOptions = { gateway: chosen(quirks.vercelGatewayRouting) };
  }
}

function isHost(host: string, gateway: string): boolean {
  return host === gateway || host.endsWith(`.${gateway}`);
}

function chosen({ only, order }: GatewayRouting): Json {
  return { only, order };
}
