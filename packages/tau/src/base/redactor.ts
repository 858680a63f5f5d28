// What keeps secrets out of everything that is sent, shown or written down. A session has at most
// one; without it, nothing is hidden.

import type { AssistantBlock, Message, ThinkingBlock } from "@tau/ai/message";
import type { ModelRequest } from "@tau/ai/request";
import { RedactingArguments } from "./redacting-arguments.ts";

export interface Redactor {
  /** The same text with every secret replaced. */
  hide(text: string): string;
  /** In all texts of a value; the same value if there is none in it. */
  hideIn<T>(value: T): T;
  /**
   * In the arguments of a tool call, names and numbers included. All of it can be restored, also what
   * is hidden for good elsewhere: the tool must run with what the model wrote.
   */
  hideInArguments<T>(value: T): T;
  /** Of text that goes on: from where it may be part of a secret. Its length if it cannot. */
  openFrom(text: string): number;
}

/**
 * The last look at a request before it leaves: whatever way a text took to get there, no known secret
 * is in it.
 */
export function redactRequest<R extends Pick<ModelRequest, "system" | "messages">>(
  request: R,
  redactor: Redactor,
): R {
  const system = redactor.hideIn(request.system);
  const messages = request.messages.map((message) => redactMessage(message, redactor));
  const isSame = messages.every((message, at) => message === request.messages[at]);
  if (system === request.system && isSame) return request;
  return { ...request, system, messages };
}

/** Only in what people, models and tools wrote: the words that hold a message together stay. */
export function redactMessage<M extends Message>(message: M, redactor: Redactor): M {
  const content = message.content as readonly AssistantBlock[];
  const hidden = content.map((block) => redactBlock(block, redactor));
  return hidden.every((block, at) => block === content[at])
    ? message
    : { ...message, content: hidden };
}

/** The same block if there is nothing to hide in it. */
export function redactBlock<B extends { type: string }>(block: B, redactor: Redactor): B;
export function redactBlock(block: AssistantBlock, redactor: Redactor): AssistantBlock {
  if (block.type === "text") {
    const text = redactor.hide(block.text);
    return text === block.text ? block : { ...block, text };
  }
  if (block.type === "thinking") return redactThinking(block, redactor);
  if (block.type !== "toolCall") return block;
  const args = redactor.hideInArguments(block.arguments);
  const malformed = block.malformed && redactArguments(block.malformed, redactor);
  const name = redactor.hide(block.name);
  const isSame = args === block.arguments && malformed === block.malformed && name === block.name;
  return isSame ? block : { ...block, name, arguments: args, malformed };
}

/** A text that should have been JSON: as such, and as it is. */
function redactArguments(text: string, redactor: Redactor): string {
  const reading = new RedactingArguments(redactor);
  return redactor.hide(reading.push(text) + reading.end());
}

/**
 * A vendor's signature fits only the words that it was made for. Without it the vendor is not sent the
 * thinking again, which it gets along without; with it and other words it would refuse the request.
 */
function redactThinking(block: ThinkingBlock, redactor: Redactor): ThinkingBlock {
  const { opaque, ...words } = block;
  const text = redactor.hide(block.text);
  const isSigned = opaque !== undefined && redactor.hide(opaque.data) === opaque.data;
  if (text === block.text && isSigned === (opaque !== undefined)) return block;
  return { ...words, text };
}
