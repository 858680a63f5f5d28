// Makes any history fit to be sent. A session can be interrupted at every point, moved
// to another vendor, or cut by compaction; vendors answer an unpaired tool call or a
// foreign signature with an error for ever. The log stays as it is: repair happens on
// the way out, in one pass, and every wire encoder starts from its result.

import { imageLimitsOf } from "./image-limits.ts";
import type {
  AssistantBlock,
  AssistantMessage,
  ImageBlock,
  Message,
  Opaque,
  TextBlock,
  ToolCallBlock,
  ToolResultMessage,
} from "./message.ts";
import type { Model } from "./model.ts";

export const INTERRUPTED_RESULT = "No result: the call was interrupted before it finished.";
const CONTINUED = "(The conversation continues from here.)";

export interface RepairOptions {
  model: Model;
  /** Brings a foreign tool-call id into the vendor's format; called once per call. */
  toolCallId?: (id: string) => string;
  /** The vendor wants a user's message first. */
  userFirst?: boolean;
}

export function repairConversation(
  messages: readonly Message[],
  options: RepairOptions,
): Message[] {
  const out: Message[] = [];
  let at = 0;
  while (at < messages.length) {
    const message = messages[at++]!;
    if (message.role === "toolResult") continue; // No call before it asks for it.
    if (message.role === "assistant") {
      at = takeTurn(messages, message, at, options, out);
      continue;
    }
    const content = fitContent(message.content, options.model);
    if (content.length > 0) out.push({ ...message, content } as Message);
  }
  if (options.userFirst && out.length > 0 && out[0]!.role !== "user") {
    out.unshift({ role: "user", content: [{ type: "text", text: CONTINUED }], timestamp: 0 });
  }
  return out;
}

/** An assistant's message with its results right behind it, whatever came between them. */
function takeTurn(
  messages: readonly Message[],
  assistant: AssistantMessage,
  next: number,
  options: RepairOptions,
  out: Message[],
): number {
  const content = fitBlocks(assistant, options.model);
  const calls = content.filter((block) => block.type === "toolCall");
  const results = new Map<ToolCallBlock, ToolResultMessage>();
  const between: Message[] = [];
  let at = next;
  for (; at < messages.length && messages[at]!.role !== "assistant"; at++) {
    const message = messages[at]!;
    if (message.role === "toolResult") {
      const call = calls.find((c) => c.id === message.toolCallId && !results.has(c));
      if (call) results.set(call, message);
    } else between.push(message);
  }
  if (content.length > 0) {
    const ids = new Map(calls.map((call) => [call, options.toolCallId?.(call.id) ?? call.id]));
    out.push({
      ...assistant,
      content: content.map((block) =>
        block.type === "toolCall" ? { ...block, id: ids.get(block) ?? block.id } : block,
      ),
    });
    for (const call of calls)
      out.push(resultOf(call, ids.get(call)!, results.get(call), options.model));
  }
  for (const message of between) {
    const fitted = fitContent(message.content as (TextBlock | ImageBlock)[], options.model);
    if (fitted.length > 0) out.push({ ...message, content: fitted } as Message);
  }
  return at;
}

function resultOf(
  call: ToolCallBlock,
  id: string,
  result: ToolResultMessage | undefined,
  model: Model,
): ToolResultMessage {
  if (!result) {
    return {
      role: "toolResult",
      toolCallId: id,
      toolName: call.name,
      content: [{ type: "text", text: INTERRUPTED_RESULT }],
      isError: true,
      timestamp: 0,
    };
  }
  const content = fitContent(result.content, model);
  return {
    ...result,
    toolCallId: id,
    content: content.length > 0 ? content : [{ type: "text", text: "(no output)" }],
  };
}

function fitBlocks(assistant: AssistantMessage, model: Model): AssistantBlock[] {
  const unfinished = assistant.stopReason === "aborted" || assistant.stopReason === "error";
  const blocks: AssistantBlock[] = [];
  for (const block of assistant.content) {
    if (block.type === "toolCall") {
      // A call that broke off with its reply was never run: nothing is lost by forgetting it.
      if (block.malformed !== undefined && unfinished) continue;
      blocks.push(withOwnOpaque(block, model));
      continue;
    }
    const fitted = wellFormed(withOwnOpaque(block, model));
    if (fitted.text.trim() === "" && fitted.opaque === undefined) continue;
    blocks.push(fitted);
  }
  return blocks;
}

/** Signatures and encrypted reasoning are void anywhere but where they were made. */
function withOwnOpaque<B extends { opaque?: Opaque }>(block: B, model: Model): B {
  const { opaque } = block;
  if (opaque === undefined || (opaque.wire === model.wire && opaque.model === model.id))
    return block;
  const { opaque: _foreign, ...rest } = block;
  return rest as B;
}

/** Half a surrogate pair, left where a text was cut, makes vendors refuse the whole request. */
function wellFormed<B extends { text: string; opaque?: Opaque }>(block: B): B {
  // What is signed is replayed as it is.
  if (block.opaque !== undefined || block.text.isWellFormed()) return block;
  return { ...block, text: block.text.toWellFormed() };
}

/** What every vendor takes. */
const IMAGE_TYPES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);
/** One image that a vendor refuses would have every later request of the session refused. */
function imageProblem(image: ImageBlock, model: Model): string | undefined {
  if (!IMAGE_TYPES.has(image.mimeType)) return `${image.mimeType} is not a type that models read`;
  if (image.data.length > imageLimitsOf(model).maxChars) return "it is too large";
  return image.data === "" ? "it is empty" : undefined;
}

function fitContent<B extends TextBlock | ImageBlock>(content: readonly B[], model: Model): B[] {
  const seesImages = model.input.includes("image");
  const fitted: B[] = [];
  for (const block of content) {
    if (block.type === "text") {
      if (block.text.trim() !== "") fitted.push(wellFormed(block as B & TextBlock));
      continue;
    }
    const why = seesImages ? imageProblem(block, model) : `${model.id} reads text only`;
    if (why === undefined) fitted.push(block);
    else fitted.push({ type: "text", text: `[image left out: ${why}]` } as B);
  }
  return fitted;
}
