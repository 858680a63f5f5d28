// Messages and entries in the family's words, and back. What a handler leaves as it was comes back as the
// very message that it was made of: nothing that only Tau knows of it is lost on the way.

import type {
  AssistantBlock,
  AssistantMessage,
  ImageBlock,
  Message,
  TextBlock,
} from "@tau/ai/message";
import type { ModelCost } from "@tau/ai/model";
import { emptyUsage, type Usage } from "@tau/ai/usage";
import type { CustomForm } from "../../session/custom-forms.ts";
import type { SessionEntry } from "../../session/entry.ts";

export type FamilyMessage = Record<string, unknown> & { role: string };

/** What is known of a message beyond itself. */
export interface KnownOfMessage {
  /** Where it stands in the log. */
  readonly entry?: SessionEntry;
  /** What it is there, if it is nobody's word. */
  readonly form?: CustomForm;
  /** Of the model that said it, per million tokens. */
  readonly cost?: ModelCost;
}

export function toFamilyMessage(
  message: Message,
  { entry, form, cost }: KnownOfMessage = {},
): FamilyMessage {
  const custom = entry?.type === "custom_message" ? entry : form;
  if (custom && message.role !== "assistant") {
    const { customType, display, details } = custom;
    const { content, timestamp } = message;
    return { role: "custom", customType, content: copied(content), display, details, timestamp };
  }
  switch (message.role) {
    case "assistant":
      return fromAssistant(message, cost);
    case "toolResult": {
      const { toolCallId, toolName, content, isError, timestamp } = message;
      const details = entry?.type === "message" ? entry.ran?.details : undefined;
      return {
        role: "toolResult",
        toolCallId,
        toolName,
        content: copied(content),
        details,
        isError,
        timestamp,
      };
    }
    default: {
      const { content, timestamp } = message;
      return { role: "user", content: copied(content), timestamp };
    }
  }
}

const FREE: ModelCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const PER_MILLION = 1_000_000;

/** US dollars by the list price, part by part. */
function costOf(usage: Usage, cost: ModelCost): Record<string, number> {
  const part = (key: "input" | "output" | "cacheRead" | "cacheWrite"): number =>
    (usage[key] * cost[key]) / PER_MILLION;
  const parts = {
    input: part("input"),
    output: part("output"),
    cacheRead: part("cacheRead"),
    cacheWrite: part("cacheWrite"),
  };
  return { ...parts, total: Object.values(parts).reduce((sum, one) => sum + one, 0) };
}

function fromAssistant(message: AssistantMessage, cost: ModelCost = FREE): FamilyMessage {
  const { content, provider, model, wire, usage, stopReason, timestamp, responseId, error } =
    message;
  const { input, output, cacheRead, cacheWrite } = usage;
  return {
    role: "assistant",
    content: content.map(toFamilyBlock),
    api: wire,
    provider,
    model,
    responseId,
    usage: {
      input,
      output,
      cacheRead,
      cacheWrite,
      totalTokens: input + output + cacheRead + cacheWrite,
      cost: costOf(usage, cost),
    },
    stopReason,
    errorMessage: error?.message,
    timestamp,
  };
}

function toFamilyBlock(block: AssistantBlock): Record<string, unknown> {
  if (block.type === "thinking") return { type: "thinking", thinking: block.text };
  if (block.type === "text") return { type: "text", text: block.text };
  const { id, name } = block;
  return { type: "toolCall", id, name, arguments: structuredClone(block.arguments) };
}

function copied(content: readonly (TextBlock | ImageBlock)[]): Record<string, unknown>[] {
  return content.map((block) =>
    block.type === "text"
      ? { type: "text", text: block.text }
      : { type: "image", data: block.data, mimeType: block.mimeType },
  );
}

/** Text and pictures, however the family's code has written them: a string, or blocks. */
export function toContent(given: unknown): (TextBlock | ImageBlock)[] {
  if (typeof given === "string") return [{ type: "text", text: given }];
  if (!Array.isArray(given)) return [];
  return given.flatMap((one: unknown): (TextBlock | ImageBlock)[] => {
    if (typeof one === "string") return [{ type: "text", text: one }];
    if (typeof one !== "object" || one === null) return [];
    const { type, text, data, mimeType } = one as Record<string, unknown>;
    if (type === "text" && typeof text === "string") return [{ type: "text", text }];
    if (type === "image" && typeof data === "string" && typeof mimeType === "string") {
      return [{ type: "image", data, mimeType }];
    }
    return [];
  });
}

/**
 * The messages that a handler answers with. One that it was given and left alone is the original;
 * everything else is made anew. A `TypeError` if one of them is no message.
 */
export function fromFamilyMessages(
  answered: readonly unknown[],
  given: ReadonlyMap<unknown, { original: Message; form: FamilyMessage }>,
): Message[] {
  return answered.map((one) => {
    const known = given.get(one);
    if (known && Bun.deepEquals(one, known.form)) return known.original;
    return fromFamilyMessage(one, known?.original);
  });
}

function fromFamilyMessage(given: unknown, original: Message | undefined): Message {
  if (typeof given !== "object" || given === null)
    throw new TypeError("a message is not an object");
  const { role, content, timestamp = Date.now() } = given as Record<string, unknown>;
  const at = typeof timestamp === "number" ? timestamp : Date.now();
  if (role === "user" || role === "custom" || role === "developer") {
    return { role: "user", content: toContent(content), timestamp: at };
  }
  if (role === "toolResult" || role === "tool") {
    const { toolCallId, toolName, isError } = given as Record<string, unknown>;
    return {
      role: "toolResult",
      toolCallId: String(toolCallId),
      toolName: String(toolName),
      content: toContent(content),
      isError: isError === true,
      timestamp: at,
    };
  }
  if (role === "assistant") {
    const base = original?.role === "assistant" ? original : { ...INVENTED, timestamp: at };
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const given = Array.isArray(blocks) ? blocks : [];
    return { ...base, content: given.flatMap((block) => toAssistantBlock(block, base)) };
  }
  throw new TypeError(`a message of the role ${JSON.stringify(role)} cannot be sent`);
}

/** A reply that no model has given: an extension shows one how it is to answer. */
const INVENTED: AssistantMessage = {
  role: "assistant",
  content: [],
  provider: "",
  model: "",
  wire: "in-process",
  usage: emptyUsage(),
  stopReason: "stop",
  timestamp: 0,
};

/** A block that is left as it was keeps what its vendor wants back. */
function toAssistantBlock(given: unknown, original: AssistantMessage): AssistantBlock[] {
  const same = original.content.find((block) => Bun.deepEquals(toFamilyBlock(block), given));
  if (same) return [same];
  const {
    type,
    text,
    thinking,
    id,
    name,
    arguments: args,
  } = (given ?? {}) as Record<string, unknown>;
  if (type === "text" && typeof text === "string") return [{ type: "text", text }];
  if (type === "thinking" && typeof thinking === "string")
    return [{ type: "thinking", text: thinking }];
  if (type !== "toolCall") return [];
  return [
    {
      type: "toolCall",
      id: String(id),
      name: String(name),
      arguments: (args ?? {}) as Record<string, unknown>,
    },
  ];
}

/** An entry of the log as the family's session files have it. */
export function toFamilyEntry(entry: SessionEntry): Record<string, unknown> {
  const { aside: _aside, ...rest } = entry;
  if (entry.type === "message") {
    const { id, parentId, timestamp, message } = entry;
    return {
      type: "message",
      id,
      parentId,
      timestamp,
      message: toFamilyMessage(message, { entry }),
    };
  }
  if (entry.type === "model_change") {
    const [provider, ...model] = entry.model.split("/");
    return { ...rest, provider, modelId: model.join("/") };
  }
  if (entry.type === "title") {
    const { id, parentId, timestamp, title } = entry;
    return { type: "session_info", id, parentId, timestamp, name: title };
  }
  return { ...rest };
}
