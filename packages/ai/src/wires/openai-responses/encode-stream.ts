// Neutral events (or a whole message) → Responses events. Each neutral block is one
// output item, so a block's index is its output index.

import type { StreamEvent, TerminalEvent } from "../../event.ts";
import type { AssistantMessage, TextBlock, ThinkingBlock, ToolCallBlock } from "../../message.ts";
import { encodeSse } from "../../sse.ts";
import type { WireReplyMeta } from "../../wire.ts";
import { parseObject, type Json } from "../json.ts";
import { failureCode } from "../openai-failure.ts";
import {
  argumentText,
  callIds,
  encodeCall,
  encodeMessage,
  encodeReasoning,
  encodeResponse,
  encodeWhole,
  itemId,
  statusOfReply,
  textPart,
} from "./response-object.ts";

export function encodeStream(meta: WireReplyMeta): (event: StreamEvent) => string {
  const encoder = new StreamEncoder(meta);
  return (event) => encoder.encode(event);
}

export function encodeReply(message: AssistantMessage, meta: WireReplyMeta): unknown {
  return encodeWhole(message, meta);
}

/** What has been sent of an item; the closing events say what the deltas added up to. */
interface SentItem {
  id: string;
  text: string;
  hasPart: boolean;
}

class StreamEncoder {
  #meta: WireReplyMeta;
  #sequence = 0;
  #sent = new Map<number, SentItem>();
  #output: Json[] = [];

  constructor(meta: WireReplyMeta) {
    this.#meta = meta;
  }

  encode(event: StreamEvent): string {
    switch (event.type) {
      case "start":
        return this.#lifecycle("created") + this.#lifecycle("in_progress");
      case "text_start":
        return this.#startText(event.index);
      case "text_delta":
        return this.#textDelta(event.index, event.delta);
      case "text_end":
        return this.#endText(event.index, event.block);
      case "thinking_start":
        return this.#added(event.index, itemId(this.#meta, THINKING, event.index), {
          type: "reasoning",
          summary: [],
        });
      case "thinking_delta":
        return this.#thinkingDelta(event.index, event.delta);
      case "thinking_end":
        return this.#endThinking(event.index, event.block);
      case "toolcall_start": {
        const { id, call_id } = callIds(event.id);
        const item = { type: "function_call", status: "in_progress", call_id, name: event.name };
        return this.#added(event.index, id, { ...item, arguments: "" });
      }
      case "toolcall_delta":
        return this.#argumentDelta(event.index, event.delta);
      case "toolcall_end":
        return this.#endCall(event.index, event.block);
      case "done":
      case "error":
        return this.#end(event);
    }
  }

  #frame(type: string, fields: Json): string {
    const data = { type, sequence_number: this.#sequence++, ...fields };
    return encodeSse(JSON.stringify(data), type);
  }

  #lifecycle(status: "created" | "in_progress"): string {
    const response = encodeResponse(this.#meta, { status: "in_progress", output: [] });
    return this.#frame(`response.${status}`, { response });
  }

  /** An event about one item. */
  #about(type: string, index: number, fields: Json): string {
    const { id } = this.#item(index);
    return this.#frame(`response.${type}`, { item_id: id, output_index: index, ...fields });
  }

  #item(index: number): SentItem {
    const sent = this.#sent.get(index);
    if (!sent) throw new RangeError(`block ${index} was never started`);
    return sent;
  }

  #added(index: number, id: string, item: Json): string {
    this.#sent.set(index, { id, text: "", hasPart: false });
    return this.#frame("response.output_item.added", {
      output_index: index,
      item: { id, ...item },
    });
  }

  #done(index: number, item: Json): string {
    this.#output[index] = item;
    return this.#frame("response.output_item.done", { output_index: index, item });
  }

  #startText(index: number): string {
    const id = itemId(this.#meta, TEXT, index);
    const item = { type: "message", status: "in_progress", role: "assistant", content: [] };
    const part = textPart("");
    return (
      this.#added(index, id, item) +
      this.#about("content_part.added", index, { content_index: 0, part })
    );
  }

  #textDelta(index: number, delta: string): string {
    this.#item(index).text += delta;
    return this.#about("output_text.delta", index, { content_index: 0, delta, logprobs: [] });
  }

  #endText(index: number, block: TextBlock): string {
    const sent = this.#item(index);
    const missing = sent.text === "" && block.text !== "";
    const { text } = block;
    return (
      (missing ? this.#textDelta(index, text) : "") +
      this.#about("output_text.done", index, { content_index: 0, text, logprobs: [] }) +
      this.#about("content_part.done", index, { content_index: 0, part: textPart(text) }) +
      this.#done(index, encodeMessage(block, sent.id))
    );
  }

  #thinkingDelta(index: number, delta: string): string {
    const sent = this.#item(index);
    sent.text += delta;
    let head = "";
    if (!sent.hasPart) {
      sent.hasPart = true;
      const part = { type: "summary_text", text: "" };
      head = this.#about("reasoning_summary_part.added", index, { summary_index: 0, part });
    }
    return head + this.#about("reasoning_summary_text.delta", index, { summary_index: 0, delta });
  }

  #endThinking(index: number, block: ThinkingBlock): string {
    const sent = this.#item(index);
    const { text } = block;
    let frames = sent.text === "" && text !== "" ? this.#thinkingDelta(index, text) : "";
    if (sent.hasPart) {
      const part = { type: "summary_text", text };
      frames += this.#about("reasoning_summary_text.done", index, { summary_index: 0, text });
      frames += this.#about("reasoning_summary_part.done", index, { summary_index: 0, part });
    }
    return frames + this.#done(index, encodeReasoning(block, sent.id));
  }

  #argumentDelta(index: number, delta: string): string {
    this.#item(index).text += delta;
    return this.#about("function_call_arguments.delta", index, { delta });
  }

  #endCall(index: number, block: ToolCallBlock): string {
    const sent = this.#item(index);
    const whole = argumentText(block);
    const missing = sent.text === "" && whole !== "";
    const delta = missing ? this.#argumentDelta(index, whole) : "";
    const args = saysTheSame(sent.text, block) ? sent.text : whole;
    return (
      delta +
      this.#about("function_call_arguments.done", index, { arguments: args }) +
      this.#done(index, encodeCall(block, args))
    );
  }

  #end(event: TerminalEvent): string {
    const status = statusOfReply(event.message.stopReason);
    const failure = event.type === "error" ? event.error : undefined;
    const response = encodeResponse(this.#meta, {
      status,
      output: this.#output,
      usage: event.message.usage,
      failure,
    });
    // Some clients watch for the error event, others for the failed response.
    const error = failure
      ? this.#frame("error", { code: failureCode(failure), message: failure.message, param: null })
      : "";
    return error + this.#frame(`response.${status}`, { response });
  }
}

/** Whether the streamed text still holds; a vendor's final word may have replaced it. */
function saysTheSame(text: string, block: ToolCallBlock): boolean {
  if (block.malformed !== undefined) return text === block.malformed;
  const args = parseObject(text);
  return args !== undefined && JSON.stringify(args) === JSON.stringify(block.arguments);
}

const TEXT = { type: "text" };
const THINKING = { type: "thinking" };
