// Messages of versions 1 to 3 in the neutral format. What the neutral format has no place
// for is handed back as `rest`, so that nothing is lost; what only the vendor understands
// is kept only where it is known which wire and model it came from.

import { modelFailure } from "@tau/ai/error";
import type {
  AssistantBlock,
  AssistantMessage,
  ImageBlock,
  Message,
  Opaque,
  StopReason,
  TextBlock,
} from "@tau/ai/message";
import { emptyUsage, tokenCount, type Usage } from "@tau/ai/usage";
import type { WireId } from "@tau/ai/wire";
import { isRecord, parseObject } from "../line.ts";

type Json = Record<string, unknown>;

export interface Converted<T> {
  message: T;
  /** What found no place; empty mostly. */
  rest: Json;
}

/** The older `api` names that are wires of ours, and mean the same bytes. */
const WIRES: ReadonlySet<string> = new Set<WireId>([
  "openai-completions",
  "openai-responses",
  "openai-codex-responses",
  "azure-openai-responses",
  "anthropic-messages",
  "google-generative-ai",
  "google-vertex",
  "bedrock-converse-stream",
  "ollama-chat",
]);
/** For replies whose wire is not known: nothing of theirs is replayed byte for byte. */
const UNKNOWN_WIRE: WireId = "openai-completions";

const STOP_REASONS: ReadonlySet<string> = new Set<StopReason>([
  "stop",
  "length",
  "toolUse",
  "error",
  "aborted",
]);

/** Undefined for roles that are no messages of ours. */
export function convertMessage(raw: Json, timestamp: number): Converted<Message> | undefined {
  const at = typeof raw.timestamp === "number" ? raw.timestamp : timestamp;
  switch (raw.role) {
    case "user":
      return convertUser(raw, at);
    case "developer":
      return convertDeveloper(raw, at);
    case "assistant":
      return convertAssistant(raw, at);
    case "toolResult":
      return convertToolResult(raw, at);
    default:
      return undefined;
  }
}

export interface PlainContent {
  blocks: (TextBlock | ImageBlock)[];
  unknown: unknown[];
}

/** Text in one string, or blocks. */
export function plainContent(content: unknown): PlainContent {
  if (typeof content === "string")
    return { blocks: [{ type: "text", text: content }], unknown: [] };
  const blocks: PlainContent["blocks"] = [];
  const unknown: unknown[] = [];
  for (const block of asArray(content)) {
    const { type, text, data, mimeType } = isRecord(block) ? block : ({} as Json);
    if (type === "text" && typeof text === "string") blocks.push({ type, text });
    else if (type === "image" && typeof data === "string" && typeof mimeType === "string") {
      blocks.push({ type, mimeType, data });
    } else unknown.push(block);
  }
  return { blocks, unknown };
}

function asArray(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function leftover(raw: Json, known: readonly string[], unknown: unknown[]): Json {
  const rest = Object.fromEntries(
    Object.entries(raw).filter(([key]) => key !== "role" && !known.includes(key)),
  );
  return unknown.length === 0 ? rest : { ...rest, blocks: unknown };
}

function convertUser(raw: Json, timestamp: number): Converted<Message> {
  const { blocks, unknown } = plainContent(raw.content);
  const rest = leftover(raw, ["content", "timestamp"], unknown);
  return { message: { role: "user", content: blocks, timestamp }, rest };
}

function convertDeveloper(raw: Json, timestamp: number): Converted<Message> {
  const { blocks, unknown } = plainContent(raw.content);
  const content = blocks.filter((block) => block.type === "text");
  const others = [...unknown, ...blocks.filter((block) => block.type !== "text")];
  const rest = leftover(raw, ["content", "timestamp"], others);
  return { message: { role: "developer", content, timestamp }, rest };
}

function convertToolResult(raw: Json, timestamp: number): Converted<Message> {
  const { blocks, unknown } = plainContent(raw.content);
  const known = ["content", "timestamp", "toolCallId", "toolName", "isError"];
  return {
    message: {
      role: "toolResult",
      toolCallId: asText(raw.toolCallId),
      toolName: asText(raw.toolName),
      content: blocks,
      isError: raw.isError === true,
      timestamp,
    },
    rest: leftover(raw, known, unknown),
  };
}

const ASSISTANT_KEYS = [
  "content",
  "timestamp",
  "api",
  "provider",
  "model",
  "usage",
  "stopReason",
  "errorMessage",
  "responseId",
];

function convertAssistant(raw: Json, timestamp: number): Converted<Message> {
  const model = asText(raw.model);
  const knownWire = WIRES.has(asText(raw.api)) ? (raw.api as WireId) : undefined;
  const wire = knownWire ?? UNKNOWN_WIRE;
  const origin = knownWire !== undefined && model !== "" ? { wire, model } : undefined;
  const content: AssistantBlock[] = [];
  const unknown: unknown[] = [];
  const given =
    typeof raw.content === "string" ? [{ type: "text", text: raw.content }] : raw.content;
  for (const block of asArray(given)) {
    const converted = isRecord(block) ? convertBlock(block, origin) : undefined;
    if (converted) content.push(converted);
    else unknown.push(block);
  }
  const stopReason = STOP_REASONS.has(asText(raw.stopReason))
    ? (raw.stopReason as StopReason)
    : "stop";
  const provider = asText(raw.provider);
  const usage = convertUsage(raw.usage);
  const message: AssistantMessage = {
    role: "assistant",
    content,
    provider,
    model,
    wire,
    stopReason,
    usage,
    timestamp,
  };
  if (typeof raw.errorMessage === "string") {
    const kind = stopReason === "aborted" ? "aborted" : "protocol";
    // What kind of failure it was is not recorded; nobody retries the past.
    message.error = modelFailure(kind, raw.errorMessage, { retryable: false });
  }
  if (typeof raw.responseId === "string") message.responseId = raw.responseId;
  const rest = leftover(raw, ASSISTANT_KEYS, unknown);
  const cost = isRecord(raw.usage) ? raw.usage.cost : undefined;
  return { message, rest: cost === undefined ? rest : { ...rest, cost } };
}

type Origin = Pick<Opaque, "wire" | "model">;

function convertBlock(block: Json, origin: Origin | undefined): AssistantBlock | undefined {
  switch (block.type) {
    case "text": {
      if (typeof block.text !== "string") return undefined;
      const signature = messageSignature(block.textSignature, origin);
      return { type: "text", text: block.text, ...opaque(signature, origin) };
    }
    case "thinking": {
      const kept = opaque(block.thinkingSignature, origin);
      if (block.redacted !== true)
        return { type: "thinking", text: asText(block.thinking), ...kept };
      return kept.opaque ? { type: "thinking", text: "", redacted: true, ...kept } : undefined;
    }
    case "redactedThinking": {
      const kept = opaque(block.data, origin);
      return kept.opaque ? { type: "thinking", text: "", redacted: true, ...kept } : undefined;
    }
    case "toolCall": {
      const call = { type: "toolCall", id: asText(block.id), name: asText(block.name) } as const;
      const kept = opaque(block.thoughtSignature, origin);
      if (isRecord(block.arguments)) return { ...call, arguments: block.arguments, ...kept };
      const malformed =
        typeof block.arguments === "string" ? block.arguments : JSON.stringify(block.arguments);
      return { ...call, arguments: {}, malformed: malformed ?? "", ...kept };
    }
    default:
      return undefined;
  }
}

function opaque(data: unknown, origin: Origin | undefined): { opaque?: Opaque } {
  if (!origin || typeof data !== "string" || data === "") return {};
  return { opaque: { ...origin, data } };
}

/** The Responses family keeps an item's id there, alone or in an object. */
function messageSignature(signature: unknown, origin: Origin | undefined): unknown {
  if (typeof signature !== "string" || signature === "") return undefined;
  if (!origin?.wire.endsWith("responses")) return signature;
  return parseObject(signature) ? signature : JSON.stringify({ id: signature });
}

function convertUsage(usage: unknown): Usage {
  if (!isRecord(usage)) return emptyUsage();
  const { input, output, cacheRead, cacheWrite } = usage;
  return {
    input: tokenCount(input),
    output: tokenCount(output),
    cacheRead: tokenCount(cacheRead),
    cacheWrite: tokenCount(cacheWrite),
  };
}
