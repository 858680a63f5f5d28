// Neutral events (or a whole message) → Ollama's lines. A call is sent whole, so the pieces
// of its arguments are not passed on; one that broke off cannot be sent at all.

import type { StreamEvent } from "../../event.ts";
import type { AssistantMessage, ToolCallBlock } from "../../message.ts";
import { textOf } from "../../message.ts";
import { modelFailure } from "../../error.ts";
import { encodeNdjson } from "../../ndjson.ts";
import type { WireReplyMeta } from "../../wire.ts";
import type { Json } from "../json.ts";
import { encodeFailure } from "./errors.ts";

export function encodeStream(meta: WireReplyMeta): (event: StreamEvent) => string {
  const line = (message: Json): string =>
    encodeNdjson({ ...head(meta), message: { role: "assistant", ...message }, done: false });
  return (event) => {
    switch (event.type) {
      case "text_delta":
        return line({ content: event.delta });
      case "thinking_delta":
        return line({ content: "", thinking: event.delta });
      case "toolcall_end":
        if (event.block.malformed !== undefined) return "";
        return line({ content: "", tool_calls: [encodeCall(event.block)] });
      case "done":
        return encodeNdjson(isBroken(event.message) ? BROKEN_CALL : ending(event.message, meta));
      case "error":
        return encodeNdjson(encodeFailure(event.error));
      default:
        return "";
    }
  };
}

export function encodeReply(message: AssistantMessage, meta: WireReplyMeta): unknown {
  if (isBroken(message)) return BROKEN_CALL;
  const thinking = message.content
    .filter((block) => block.type === "thinking")
    .map((block) => block.text)
    .join("");
  const calls = message.content.filter((block) => block.type === "toolCall");
  const whole = calls.filter((call) => call.malformed === undefined);
  return {
    ...ending(message, meta),
    message: {
      role: "assistant",
      content: textOf(message),
      thinking: thinking || undefined,
      tool_calls: whole.length === 0 ? undefined : whole.map(encodeCall),
    },
  };
}

const BROKEN_CALL = encodeFailure(
  modelFailure("protocol", "The model made a tool call that is not whole."),
);

/** The vendor reports such a reply as a failure; at its length limit it drops the call. */
function isBroken(message: AssistantMessage): boolean {
  if (message.stopReason === "length") return false;
  return message.content.some((b) => b.type === "toolCall" && b.malformed !== undefined);
}

function encodeCall({ id, name, arguments: args }: ToolCallBlock): Json {
  return { id, function: { name, arguments: args } };
}

function head(meta: WireReplyMeta): Json {
  return { model: meta.modelId, created_at: new Date(meta.createdAt).toISOString() };
}

function ending({ usage, stopReason }: AssistantMessage, meta: WireReplyMeta): Json {
  return {
    ...head(meta),
    message: { role: "assistant", content: "" },
    done: true,
    done_reason: stopReason === "length" ? "length" : "stop",
    total_duration: 0,
    load_duration: 0,
    // What a cache gave is part of the prompt here; the vendor does not tell it apart.
    prompt_eval_count: usage.input + usage.cacheRead + usage.cacheWrite,
    prompt_eval_duration: 0,
    eval_count: usage.output,
    eval_duration: 0,
  };
}
