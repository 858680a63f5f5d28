// Whether a value from outside is a neutral message. What is not is refused at the door,
// so that no code behind it has to expect anything but messages.

import { asArray, asObject, asString, type Json } from "../json.ts";

const STOP_REASONS = new Set(["stop", "length", "toolUse", "error", "aborted"]);

export function checkMessage(value: unknown): boolean {
  const message = asObject(value);
  if (!message || typeof message.timestamp !== "number") return false;
  switch (message.role) {
    case "user":
      return hasContent(message, isInput);
    case "developer":
      return hasContent(message, isText);
    case "toolResult":
      return (
        hasContent(message, isInput) &&
        asString(message.toolCallId) !== undefined &&
        asString(message.toolName) !== undefined &&
        typeof message.isError === "boolean"
      );
    case "assistant":
      return isReply(message);
    default:
      return false;
  }
}

export function isReply(value: unknown): boolean {
  const message = asObject(value) ?? {};
  const usage = asObject(message.usage) ?? {};
  return (
    message.role === "assistant" &&
    hasContent(message, isReplyBlock) &&
    [message.provider, message.model, message.wire].every((name) => typeof name === "string") &&
    STOP_REASONS.has(String(message.stopReason)) &&
    [usage.input, usage.output, usage.cacheRead, usage.cacheWrite].every(
      (count) => typeof count === "number",
    )
  );
}

function hasContent(message: Json, isBlock: (block: Json) => boolean): boolean {
  if (!Array.isArray(message.content)) return false;
  return asArray(message.content).every((block) => isBlock(asObject(block) ?? {}));
}

function isInput(block: Json): boolean {
  if (block.type !== "image") return isText(block);
  return asString(block.mimeType) !== undefined && asString(block.data) !== undefined;
}

function isText(block: Json): boolean {
  return block.type === "text" && asString(block.text) !== undefined && hasOpaque(block);
}

export function isReplyBlock(block: Json): boolean {
  if (block.type === "thinking") return asString(block.text) !== undefined && hasOpaque(block);
  if (block.type !== "toolCall") return isText(block);
  return (
    asString(block.id) !== undefined &&
    asString(block.name) !== undefined &&
    asObject(block.arguments) !== undefined &&
    (block.malformed === undefined || asString(block.malformed) !== undefined) &&
    hasOpaque(block)
  );
}

function hasOpaque({ opaque }: Json): boolean {
  if (opaque === undefined) return true;
  const { wire, model, data } = asObject(opaque) ?? {};
  return [wire, model, data].every((text) => typeof text === "string");
}
