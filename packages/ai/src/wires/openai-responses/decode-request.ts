// Responses body → neutral request. Only what a stateless server can honour: a request
// that refers to something stored is refused.

import { asServiceTier, type ToolChoice, type ToolSpec } from "../../request.ts";
import { WireRequestError, type DecodedRequest } from "../../wire.ts";
import { asArray, asNumber, asObject, asString, type Json } from "../json.ts";
import { levelOfEffort } from "../thinking-effort.ts";
import { decodeInput } from "./decode-input.ts";

export function decodeRequest(_url: URL, _headers: Headers, raw: unknown): DecodedRequest {
  const body = asObject(raw);
  const modelId = asString(body?.model);
  if (!body || !modelId) throw new WireRequestError("a request needs a JSON object with `model`");
  for (const field of ["previous_response_id", "conversation", "prompt"]) {
    if (body[field] !== undefined && body[field] !== null) {
      throw new WireRequestError(`\`${field}\` is not available: nothing is stored here`);
    }
  }
  const { system, messages } = decodeInput(body.input, modelId);
  const instructions = asString(body.instructions);
  const request: DecodedRequest = {
    modelId,
    system: instructions ? [instructions, ...system] : system,
    messages,
    tools: asArray(body.tools).flatMap(decodeTool),
    stream: body.stream === true,
  };
  return { ...request, ...decodeOptions(body) };
}

function decodeOptions(body: Json): Partial<DecodedRequest> {
  const options: Partial<DecodedRequest> = {};
  const toolChoice = decodeToolChoice(body.tool_choice);
  if (toolChoice !== undefined) options.toolChoice = toolChoice;
  const maxOutput = asNumber(body.max_output_tokens);
  if (maxOutput !== undefined) options.maxOutput = maxOutput;
  const temperature = asNumber(body.temperature);
  if (temperature !== undefined) options.temperature = temperature;
  const topP = asNumber(body.top_p);
  if (topP !== undefined) options.topP = topP;
  const thinking = levelOfEffort(asObject(body.reasoning)?.effort);
  if (thinking !== undefined) options.thinking = thinking;
  const cacheKey = asString(body.prompt_cache_key);
  if (cacheKey) options.cacheKey = cacheKey;
  if (body.prompt_cache_retention === "24h") options.cacheRetention = "long";
  const serviceTier = asServiceTier(body.service_tier);
  if (serviceTier !== undefined) options.serviceTier = serviceTier;
  return options;
}

/** Tools that the vendor itself would run do not exist here; the model is not told of them. */
function decodeTool(item: unknown): ToolSpec[] {
  const tool = asObject(item);
  if (!tool) throw new WireRequestError("each tool must be an object");
  if (tool.type !== "function") return [];
  const name = asString(tool.name);
  if (!name) throw new WireRequestError("each function tool needs `name`");
  const description = asString(tool.description) ?? "";
  const parameters = asObject(tool.parameters) ?? { type: "object", properties: {} };
  return [{ name, description, parameters }];
}

function decodeToolChoice(choice: unknown): ToolChoice | undefined {
  if (choice === "auto" || choice === "none" || choice === "required") return choice;
  const object = asObject(choice);
  const name = object?.type === "function" ? asString(object.name) : undefined;
  return name === undefined ? undefined : { name };
}
