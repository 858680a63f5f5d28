// Converse request → neutral request, by way of the Messages spelling (see encode-request).

import { WireRequestError, type DecodedRequest } from "../../wire.ts";
import { decodeRequest as decodeMessages } from "../anthropic-messages/decode-request.ts";
import { asArray, asNumber, asObject, asString, type Json } from "../json.ts";

const PATH = /\/model\/([^/]+)\/(converse|converse-stream)$/;
/** Stands in for a limit that the caller did not set; the other spelling insists on one. */
const NO_LIMIT = 1;

export function matches(method: string, url: URL): boolean {
  return method === "POST" && PATH.test(url.pathname);
}

export function decodeRequest(url: URL, headers: Headers, raw: unknown): DecodedRequest {
  const path = PATH.exec(url.pathname);
  const body = asObject(raw);
  if (!path || !body) throw new WireRequestError("a request needs a model and a JSON object");
  const config = asObject(body.inferenceConfig) ?? {};
  const limit = asNumber(config.maxTokens);
  const extra = asObject(body.additionalModelRequestFields) ?? {};
  const toolConfig = asObject(body.toolConfig) ?? {};
  const request = decodeMessages(url, headers, {
    model: decodeName(path[1]!),
    stream: path[2] === "converse-stream",
    max_tokens: limit ?? NO_LIMIT,
    temperature: config.temperature,
    top_p: config.topP,
    system: withoutMarkers(body.system),
    messages: turnsOf(body.messages),
    tools: withoutMarkers(toolConfig.tools).map(fromTool),
    tool_choice: fromToolChoice(asObject(toolConfig.toolChoice)),
    thinking: extra.thinking,
    output_config: extra.output_config,
  });
  if (limit === undefined) delete request.maxOutput;
  return request;
}

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch (error) {
    if (error instanceof URIError) throw new WireRequestError(`"${encoded}" names no model`);
    throw error;
  }
}

function withoutMarkers(list: unknown): Json[] {
  return asArray(list)
    .map((item) => asObject(item) ?? {})
    .filter((item) => item.cachePoint === undefined);
}

function turnsOf(raw: unknown): Json[] {
  if (!Array.isArray(raw)) throw new WireRequestError("messages is missing");
  return raw.map((item) => {
    const message = asObject(item) ?? {};
    return { role: message.role, content: withoutMarkers(message.content).map(fromBlock) };
  });
}

function fromBlock(block: Json): Json {
  const image = asObject(block.image);
  const toolUse = asObject(block.toolUse);
  const toolResult = asObject(block.toolResult);
  const reasoning = asObject(block.reasoningContent);
  if (block.text !== undefined) return { type: "text", text: block.text };
  if (image) {
    const data = asString(asObject(image.source)?.bytes);
    if (data === undefined) throw new WireRequestError("an image's source must be its bytes");
    const media_type = `image/${String(image.format)}`;
    return { type: "image", source: { type: "base64", media_type, data } };
  }
  if (toolUse) {
    const { toolUseId: id, name, input } = toolUse;
    return { type: "tool_use", id, name, input };
  }
  if (toolResult) {
    return {
      type: "tool_result",
      tool_use_id: toolResult.toolUseId,
      content: withoutMarkers(toolResult.content).map(fromBlock),
      is_error: toolResult.status === "error",
    };
  }
  if (reasoning) return fromReasoning(reasoning);
  if (block.json !== undefined) return { type: "text", text: JSON.stringify(block.json) };
  throw new WireRequestError(`content of the kind ${Object.keys(block).join()} is not supported`);
}

function fromReasoning(reasoning: Json): Json {
  const redacted = asString(reasoning.redactedContent);
  if (redacted !== undefined) return { type: "redacted_thinking", data: redacted };
  const { text: thinking, signature } = asObject(reasoning.reasoningText) ?? {};
  return { type: "thinking", thinking, signature };
}

function fromTool(tool: Json): Json {
  const spec = asObject(tool.toolSpec);
  if (!spec) throw new WireRequestError("each tool needs a toolSpec");
  const input_schema = asObject(spec.inputSchema)?.json;
  return { name: spec.name, description: spec.description, input_schema };
}

function fromToolChoice(choice: Json | undefined): Json | undefined {
  if (choice?.auto !== undefined) return { type: "auto" };
  if (choice?.any !== undefined) return { type: "any" };
  const tool = asObject(choice?.tool);
  return tool ? { type: "tool", name: tool.name } : undefined;
}
