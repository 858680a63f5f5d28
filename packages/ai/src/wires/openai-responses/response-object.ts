// The response object and its output items as OpenAI's own API writes them.

import type { ModelFailure } from "../../error.ts";
import type {
  AssistantBlock,
  AssistantMessage,
  StopReason,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
} from "../../message.ts";
import type { Usage } from "../../usage.ts";
import type { WireReplyMeta } from "../../wire.ts";
import type { Json } from "../json.ts";
import { failureCode } from "../openai-failure.ts";
import { stableId } from "../stable-id.ts";
import { mintItemId, splitCallId } from "./item-id.ts";
import { keptMessage, keptReasoning, WIRE, wrapForeign } from "./kept-item.ts";

const ITEM_ID_CHARS = 32;
const MS_PER_SECOND = 1000;

export type ResponseStatus = "in_progress" | "completed" | "incomplete" | "failed";

/** Ids of a reply's items follow from its own id, so a stream and its whole agree. */
export function itemId(meta: WireReplyMeta, block: { type: string }, index: number): string {
  const prefix = block.type === "text" ? "msg_" : "rs_";
  return prefix + stableId(`${meta.id} ${index}`, ITEM_ID_CHARS);
}

export function callIds(id: string): { id: string; call_id: string } {
  const { callId, itemId: given } = splitCallId(id);
  return { id: given || mintItemId(callId), call_id: callId };
}

function encodeItem(block: AssistantBlock, meta: WireReplyMeta, index: number): Json {
  if (block.type === "toolCall") return encodeCall(block, argumentText(block));
  const id = itemId(meta, block, index);
  return block.type === "text" ? encodeMessage(block, id) : encodeReasoning(block, id);
}

export function encodeMessage(block: TextBlock, id: string): Json {
  const { phase } = block.opaque?.wire === WIRE ? keptMessage(block.opaque) : {};
  return {
    id,
    type: "message",
    status: "completed",
    role: "assistant",
    content: [textPart(block.text)],
    phase,
  };
}

export function textPart(text: string): Json {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

export function encodeReasoning(block: ThinkingBlock, id: string): Json {
  const { opaque } = block;
  const encrypted =
    opaque === undefined
      ? undefined
      : opaque.wire === WIRE
        ? keptReasoning(opaque)?.encrypted_content
        : wrapForeign(opaque);
  return {
    id,
    type: "reasoning",
    summary: block.text === "" ? [] : [{ type: "summary_text", text: block.text }],
    encrypted_content: encrypted,
  };
}

export function encodeCall(block: ToolCallBlock, args: string): Json {
  return {
    ...callIds(block.id),
    type: "function_call",
    // A caller must not run what broke off on its way here.
    status: block.malformed === undefined ? "completed" : "incomplete",
    name: block.name,
    arguments: args,
  };
}

export function argumentText(block: ToolCallBlock): string {
  return block.malformed ?? JSON.stringify(block.arguments);
}

export interface ResponseParts {
  status: ResponseStatus;
  output: Json[];
  usage?: Usage;
  failure?: ModelFailure;
}

export function encodeResponse(meta: WireReplyMeta, parts: ResponseParts): Json {
  const { status, failure } = parts;
  return {
    id: meta.id,
    object: "response",
    created_at: Math.floor(meta.createdAt / MS_PER_SECOND),
    status,
    background: false,
    error: failure ? { code: failureCode(failure), message: failure.message } : null,
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    model: meta.modelId,
    output: parts.output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: null,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: null,
    truncation: "disabled",
    usage: parts.usage ? encodeUsage(parts.usage) : null,
  };
}

export function encodeWhole(message: AssistantMessage, meta: WireReplyMeta): Json {
  return encodeResponse(meta, {
    status: statusOfReply(message.stopReason),
    output: message.content.map((block, index) => encodeItem(block, meta, index)),
    usage: message.usage,
    failure: message.error,
  });
}

export function statusOfReply(reason: StopReason): ResponseStatus {
  if (reason === "length") return "incomplete";
  return reason === "error" || reason === "aborted" ? "failed" : "completed";
}

function encodeUsage(usage: Usage): Json {
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite,
    },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: input + usage.output,
  };
}
