// Neutral request → Responses body.

import { wireNameOf } from "../../model.ts";
import { repairConversation } from "../../repair.ts";
import type { JsonSchema, ModelRequest, ToolChoice } from "../../request.ts";
import { RESPONSES, fitSchema } from "../../schema/tool-schema.ts";
import { OPENAI_STRICT } from "../../schema/openai-strict.ts";
import type { EncodedRequest } from "../../wire.ts";
import { addExtraBody } from "../extra-body.ts";
import { asObject, asString, type Json } from "../json.ts";
import { addSampling } from "../sampling.ts";
import { uniqueIds } from "../stable-id.ts";
import { thinkingLevel } from "../thinking-effort.ts";
import { encodeInput } from "./encode-input.ts";
import { fitCallId, joinCallId, splitCallId } from "./item-id.ts";
import { quirksOf, type ResponsesQuirks } from "./quirks.ts";

export function encodeRequest(request: ModelRequest): EncodedRequest {
  const { model } = request;
  const quirks = quirksOf(model);
  const body: Json = {
    model: wireNameOf(model),
    input: encodeInput(repaired(request), { model, quirks }),
    stream: request.stream,
  };
  const instructions = request.system.filter((text) => text.trim() !== "").join("\n\n");
  if (instructions !== "") body.instructions = instructions;
  if (quirks.supportsStore) body.store = false;
  addTools(request, quirks, body);
  addReasoning(request, quirks, body);
  if (request.maxOutput !== undefined) body.max_output_tokens = request.maxOutput;
  const effort = asString(asObject(body.reasoning)?.effort);
  addSampling(request, { body, effort, isFree: quirks.supportsSamplingWhileThinking });
  if (request.cacheKey !== undefined && quirks.supportsPromptCacheKey) {
    body.prompt_cache_key = request.cacheKey;
  }
  if (request.cacheRetention === "long" && quirks.supportsLongPromptCacheRetention) {
    body.prompt_cache_retention = "24h";
  }
  if (request.serviceTier !== undefined && quirks.supportsServiceTier) {
    body.service_tier = request.serviceTier;
  }
  addExtraBody(body, quirks.extraBody);
  return { path: "/responses", headers: {}, body };
}

/** Outputs refer to the call id alone, so it is the part that must not occur twice. */
function repaired({ messages, model }: ModelRequest) {
  const callId = uniqueIds(fitCallId);
  return repairConversation(messages, {
    model,
    toolCallId: (id) => {
      const ids = splitCallId(id);
      return joinCallId(callId(ids.callId), ids.itemId);
    },
  });
}

function addTools(request: ModelRequest, quirks: ResponsesQuirks, body: Json): void {
  if (request.tools.length === 0) return;
  body.tools = request.tools.map(({ name, description, parameters }) => ({
    type: "function",
    name,
    description,
    ...fitParameters(parameters, quirks),
  }));
  const choice = request.toolChoice;
  if (choice === undefined || !quirks.supportsToolChoice) return;
  // A choice that names no tool of this request would be refused with the whole request.
  if (typeof choice !== "string" && !request.tools.some(({ name }) => name === choice.name)) return;
  body.tool_choice = encodeToolChoice(choice);
}

/** The API's own default is strict, so what does not fit has to say so. */
function fitParameters(parameters: JsonSchema, quirks: ResponsesQuirks): Json {
  if (quirks.supportsStrictMode && !quirks.disableStrictTools) {
    const { schema, strict } = fitSchema(parameters, OPENAI_STRICT);
    if (strict) return { parameters: schema, strict };
  }
  return { parameters: fitSchema(parameters, RESPONSES).schema, strict: false };
}

function encodeToolChoice(choice: ToolChoice): unknown {
  return typeof choice === "string" ? choice : { type: "function", name: choice.name };
}

function addReasoning(request: ModelRequest, quirks: ResponsesQuirks, body: Json): void {
  if (!request.model.thinking) return;
  if (quirks.supportsEncryptedReasoning) body.include = ["reasoning.encrypted_content"];
  const level = thinkingLevel(request);
  if (level === undefined || !quirks.supportsReasoningParams) return;
  const mapped = quirks.reasoningEffortMap[level];
  if (level === "off") {
    // Only some models can be told not to think; the map says which word they take.
    if (mapped !== undefined) body.reasoning = { effort: mapped };
    return;
  }
  const summary = quirks.reasoningSummary;
  body.reasoning = { effort: mapped ?? level, summary: summary === "none" ? undefined : summary };
}
