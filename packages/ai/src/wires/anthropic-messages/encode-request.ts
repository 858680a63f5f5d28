// Neutral request → Messages body. Everything in front of the newest turn is the same
// bytes from request to request (cache markers aside, which are no part of the vendor's
// cache key), because the prompt cache is keyed by them.

import { ANTHROPIC } from "../../schema/anthropic.ts";
import { ANTHROPIC_STRICT, STRICT_ALLOWANCE, takeFrom } from "../../schema/anthropic-strict.ts";
import { fitSchema } from "../../schema/tool-schema.ts";
import { wireNameOf, type Model, type ThinkingLevel } from "../../model.ts";
import type { ModelRequest } from "../../request.ts";
import type { EncodedRequest } from "../../wire.ts";
import { addExtraBody } from "../extra-body.ts";
import { asObject, type Json } from "../json.ts";
import { fitBudget, THINKING_BUDGET } from "../thinking-budget.ts";
import { isSampling, thinkingLevel } from "../thinking-effort.ts";
import { encodeMessages, toolsOfHistory, type WireMessage } from "./encode-messages.ts";
import { quirksOf, type AnthropicQuirks } from "./quirks.ts";

const ANTHROPIC_VERSION = "2023-06-01";
const INTERLEAVED_THINKING = "interleaved-thinking-2025-05-14";

/** The vendor takes four; two stand behind the fixed part, so two may follow the talk. */
const MARKED_TURNS = 2;
/** With thinking on, the vendor refuses anything below. */
const MIN_TOP_P_THINKING = 0.95;
const MAX_TEMPERATURE = 1;

type Wish = Exclude<ThinkingLevel, "off">;

export function encodeRequest(request: ModelRequest): EncodedRequest {
  const { model } = request;
  const quirks = quirksOf(model);
  const messages = encodeMessages(request.messages, model, quirks);
  const tools = encodeTools(request, messages, quirks);
  const toolChoice = encodeToolChoice(request, tools, quirks);
  const body: Json = { model: wireNameOf(model), messages, stream: request.stream };
  const system = request.system.filter((text) => text.trim() !== "");
  if (system.length > 0) body.system = system.map((text) => ({ type: "text", text }));
  if (tools.length > 0) body.tools = tools;
  if (toolChoice) body.tool_choice = toolChoice;
  const wish = thinkingWish(request, toolChoice);
  // A thinking model does not go on with words that were put into its mouth.
  if (!quirks.supportsPrefill || wish) endWithUser(messages);
  const thinks = encodeThinking(request, quirks, { wish, messages, body });
  if (quirks.supportsSamplingParams) encodeSampling(request, body, thinks);
  if (request.serviceTier !== undefined && quirks.supportsServiceTier) {
    // The vendor knows two: whatever capacity the account has, or the standard one only.
    body.service_tier = request.serviceTier === "default" ? "standard_only" : "auto";
  }
  addExtraBody(body, quirks.extraBody);
  if (quirks.supportsCacheControl && request.cacheRetention !== "none") {
    const long = request.cacheRetention === "long" && quirks.supportsLongCacheRetention;
    placeCacheMarkers(body, messages, long ? { ttl: "1h" } : {});
  }
  const betas = [...quirks.betas];
  const interleaves = thinks && tools.length > 0 && quirks.thinkingStyle === "budget";
  if (interleaves && quirks.interleavedThinking) betas.push(INTERLEAVED_THINKING);
  const headers: Record<string, string> = { "anthropic-version": ANTHROPIC_VERSION };
  if (betas.length > 0) headers["anthropic-beta"] = betas.join(",");
  return { path: pathFor(model), headers, body };
}

/** Base URLs are given with and without the version. */
function pathFor(model: Model): string {
  return /\/v1\/*$/.test(model.baseUrl) ? "/messages" : "/v1/messages";
}

function encodeTools(
  request: ModelRequest,
  messages: readonly WireMessage[],
  { supportsStrictMode, disableStrictTools }: AnthropicQuirks,
): Json[] {
  if (request.tools.length === 0) return toolsOfHistory(messages);
  const isStrict = supportsStrictMode && !disableStrictTools;
  // The first tools are the ones that are used most; those after them have what room is left.
  let left = STRICT_ALLOWANCE;
  return request.tools.map(({ name, description, parameters }) => {
    const tool = { name, description: description || undefined };
    const fitted = isStrict ? fitSchema(parameters, ANTHROPIC_STRICT) : undefined;
    const after = fitted?.strict ? takeFrom(left, fitted.schema) : undefined;
    if (!fitted || !after) {
      return { ...tool, input_schema: fitSchema(parameters, ANTHROPIC).schema };
    }
    left = after;
    return { ...tool, strict: true, input_schema: fitted.schema };
  });
}

function encodeToolChoice(
  request: ModelRequest,
  tools: readonly Json[],
  quirks: AnthropicQuirks,
): Json | undefined {
  if (tools.length === 0) return undefined;
  // Tools that are only there because the history uses them are not offered.
  if (request.tools.length === 0) return { type: "none" };
  const choice = request.toolChoice;
  if (choice === undefined) return undefined;
  if (choice === "auto" || choice === "none") return { type: choice };
  if (!quirks.supportsForcedToolChoice) return { type: "auto" };
  if (choice === "required") return { type: "any" };
  const known = request.tools.some((tool) => tool.name === choice.name);
  return known ? { type: "tool", name: choice.name } : undefined;
}

/** A forced tool excludes thinking; the caller's choice of tool is the harder wish. */
function thinkingWish(request: ModelRequest, choice: Json | undefined): Wish | undefined {
  const level = thinkingLevel(request);
  if (level === undefined || level === "off") return undefined;
  return isForced(choice) ? undefined : level;
}

function isForced(choice: unknown): boolean {
  const type = asObject(choice)?.type;
  return type === "any" || type === "tool";
}

/** Sets `max_tokens` and what belongs to thinking; true where the model will think. */
function encodeThinking(
  request: ModelRequest,
  quirks: AnthropicQuirks,
  sofar: { wish: Wish | undefined; messages: readonly WireMessage[]; body: Json },
): boolean {
  const { model } = request;
  const { wish, body } = sofar;
  const wanted = Math.max(1, Math.min(request.maxOutput ?? model.maxOutput, model.maxOutput));
  body.max_tokens = wanted;
  if (wish && quirks.thinkingStyle === "adaptive") {
    body.thinking = { type: "adaptive", display: "summarized" };
    body.output_config = { effort: quirks.reasoningEffortMap[wish] };
    return true;
  }
  if (wish && turnBeganWithThinking(sofar.messages)) {
    const fitted = fitBudget(THINKING_BUDGET[wish], wanted, model.maxOutput);
    if (fitted.budget !== undefined) {
      body.max_tokens = fitted.maxOutput;
      body.thinking = { type: "enabled", budget_tokens: fitted.budget };
      return true;
    }
  }
  const silenced = request.thinking !== undefined || isForced(body.tool_choice);
  if (quirks.thinksByDefault && silenced) body.thinking = { type: "disabled" };
  return false;
}

/**
 * Inside a tool loop the vendor accepts budgeted thinking only where the loop's first
 * reply began with it; a loop that another model began has to end without.
 */
function turnBeganWithThinking(messages: readonly WireMessage[]): boolean {
  let first: WireMessage | undefined;
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]!;
    if (message.role === "assistant") first = message;
    else if (message.content[0]?.type !== "tool_result") break;
  }
  const type = first?.content[0]?.type;
  return type === undefined || type === "thinking" || type === "redacted_thinking";
}

function encodeSampling(request: ModelRequest, body: Json, thinks: boolean): void {
  const { temperature, topP } = request;
  const sendsTemperature = isSampling(temperature) && !thinks;
  if (sendsTemperature) body.temperature = Math.min(temperature, MAX_TEMPERATURE);
  // Newer models refuse the pair; and thinking narrows what is left.
  if (!isSampling(topP) || sendsTemperature) return;
  if (!thinks || topP >= MIN_TOP_P_THINKING) body.top_p = topP;
}

function endWithUser(messages: WireMessage[]): void {
  if (messages.at(-1)?.role !== "assistant") return;
  messages.push({ role: "user", content: [{ type: "text", text: "(Continue.)" }] });
}

/** Behind the tools, behind the system text, and behind the last turns of the user. */
function placeCacheMarkers(body: Json, messages: WireMessage[], retention: Json): void {
  const marker = { type: "ephemeral", ...retention };
  const mark = (blocks: unknown): void => {
    const last = (blocks as Json[] | undefined)?.at(-1);
    if (last) last.cache_control = marker;
  };
  mark(body.tools);
  mark(body.system);
  let left = MARKED_TURNS;
  for (let at = messages.length - 1; at >= 0 && left > 0; at--) {
    if (messages[at]!.role !== "user") continue;
    mark(messages[at]!.content);
    left--;
  }
}
