// Neutral request → Converse body. Converse asks of a conversation what Anthropic's
// Messages API asks of it (order, pairing, signatures, nothing blank), so that encoder does
// the work, and only the spelling is changed here.

import { wireNameOf } from "../../model.ts";
import type { ModelRequest } from "../../request.ts";
import { BEDROCK } from "../../schema/anthropic.ts";
import { fitSchema } from "../../schema/tool-schema.ts";
import type { EncodedRequest } from "../../wire.ts";
import { encodeRequest as encodeMessages } from "../anthropic-messages/encode-request.ts";
import { addExtraBody } from "../extra-body.ts";
import { asArray, asObject, asString, type Json } from "../json.ts";
import { quirksOf } from "./quirks.ts";

/** The vendor's limit, in characters. */
const MAX_TOOL_NAME_CHARS = 64;

export function encodeRequest(request: ModelRequest): EncodedRequest {
  const { model } = request;
  const quirks = quirksOf(model);
  const { thinking: _notItsOwn, ...plain } = request;
  const { body: messages, headers } = encodeMessages({
    ...(quirks.anthropicModel ? request : plain),
    model: {
      ...model,
      quirks: {
        ...model.quirks,
        supportsCacheControl: quirks.supportsCacheControl,
        // Few makers let a reply be begun for the model.
        supportsPrefill: false,
        extraBody: undefined,
      },
    },
  });
  const body = toConverse(messages, request);
  const extra: Json = {};
  for (const field of ["thinking", "output_config"]) {
    if (quirks.anthropicModel && messages[field] !== undefined) extra[field] = messages[field];
  }
  const betas = headers["anthropic-beta"];
  if (quirks.anthropicModel && betas !== undefined) extra.anthropic_beta = betas.split(",");
  if (Object.keys(extra).length > 0) body.additionalModelRequestFields = extra;
  addExtraBody(body, quirks.extraBody);
  const method = request.stream ? "converse-stream" : "converse";
  return { path: `/model/${encodeName(wireNameOf(model))}/${method}`, headers: {}, body };
}

/** Ids hold colons, and those that are whole resource names slashes: all is one segment. */
function encodeName(id: string): string {
  return encodeURIComponent(id);
}

function toConverse(messages: Json, request: ModelRequest): Json {
  const inferenceConfig: Json = { maxTokens: messages.max_tokens };
  if (messages.temperature !== undefined) inferenceConfig.temperature = messages.temperature;
  if (messages.top_p !== undefined) inferenceConfig.topP = messages.top_p;
  const turns = asArray(messages.messages).map((message) => {
    const { role, content } = message as { role: string; content: Json[] };
    return { role, content: content.flatMap((block) => toBlocks(block)) };
  });
  const body: Json = { messages: turns, inferenceConfig };
  const system = asArray(messages.system).flatMap((block) => toBlocks(block as Json));
  if (system.length > 0) body.system = system;
  const toolConfig = toToolConfig(messages, turns, request);
  if (toolConfig) body.toolConfig = toolConfig;
  return body;
}

/** The block, and behind it the marker that the other spelling has inside it. */
function toBlocks(block: Json): Json[] {
  return [toBlock(block), ...cachePoint(block)];
}

function cachePoint(block: Json): Json[] {
  const marker = asObject(block.cache_control);
  if (!marker) return [];
  return [{ cachePoint: { type: "default", ttl: marker.ttl } }];
}

function toBlock(block: Json): Json {
  switch (block.type) {
    case "image": {
      const source = block.source as { media_type: string; data: string };
      const format = source.media_type.slice("image/".length);
      return { image: { format, source: { bytes: source.data } } };
    }
    case "tool_use": {
      const name = (block.name as string).slice(0, MAX_TOOL_NAME_CHARS);
      return { toolUse: { toolUseId: block.id, name, input: block.input } };
    }
    case "tool_result":
      return {
        toolResult: {
          toolUseId: block.tool_use_id,
          content: asArray(block.content).map((inner) => toBlock(inner as Json)),
          status: block.is_error === true ? "error" : "success",
        },
      };
    case "thinking": {
      const signature = asString(block.signature);
      const reasoningText = { text: block.thinking, signature: signature || undefined };
      return { reasoningContent: { reasoningText } };
    }
    case "redacted_thinking":
      return { reasoningContent: { redactedContent: block.data } };
    default:
      return { text: block.text };
  }
}

/**
 * The vendor has no word for "do not use the tools". They are left out then, unless the
 * history uses some: such a history is refused without them.
 */
function toToolConfig(
  messages: Json,
  turns: readonly { content: Json[] }[],
  request: ModelRequest,
): Json | undefined {
  const tools = asArray(messages.tools) as Json[];
  if (tools.length === 0) return undefined;
  const choice = asObject(messages.tool_choice);
  const used = turns.some(({ content }) => content.some((block) => block.toolUse !== undefined));
  if (choice?.type === "none" && !used) return undefined;
  const specs = tools.flatMap((tool, index): Json[] => {
    const { name, description } = tool;
    // Tools that are only there because the history uses them have no place in the request.
    const own = request.tools[index];
    const json = own ? fitSchema(own.parameters, BEDROCK).schema : tool.input_schema;
    return [{ toolSpec: { name, description, inputSchema: { json } } }, ...cachePoint(tool)];
  });
  const toolChoice = toToolChoice(choice);
  return { tools: specs, toolChoice };
}

function toToolChoice(choice: Json | undefined): Json | undefined {
  if (choice?.type === "auto") return { auto: {} };
  if (choice?.type === "any") return { any: {} };
  return choice?.type === "tool" ? { tool: { name: choice.name } } : undefined;
}
