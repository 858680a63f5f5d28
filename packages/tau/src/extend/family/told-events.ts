// What the family's code is only told, without anybody waiting for it: the family's name for what happens in
// a session, and its words. A reply that arrives is told as far as it has come.

import type { StreamEvent } from "@tau/ai/event";
import type { AssistantBlock, AssistantMessage } from "@tau/ai/message";
import type { Model } from "@tau/ai/model";
import { emptyUsage } from "@tau/ai/usage";
import type { Session } from "../../session/session.ts";
import type { SessionEvent } from "../../session/session-event.ts";
import { toFamilyMessage, type FamilyMessage } from "./family-messages.ts";
import { toFamilyModel } from "./family-model.ts";

export type FamilyEvent = Record<string, unknown> & { type: string };

const REPLY = ["message_start", "message_update", "message_end"] as const;
const CALL = ["tool_execution_start", "tool_execution_update", "tool_execution_end"] as const;

/** What is told of which event: if nobody listens to any of it, nothing is made of the event. */
const TOLD_OF: Partial<Record<SessionEvent["type"], readonly string[]>> = {
  agent_start: ["agent_start"],
  agent_end: ["agent_end", "agent_settled"],
  turn_start: ["turn_start"],
  // A reply that is told as it grows is told from its beginning.
  message_start: REPLY,
  // It costs as much as the reply is long, for every piece of it.
  message_update: ["message_update"],
  message_end: REPLY,
  tool_execution_start: CALL,
  tool_execution_update: CALL,
  tool_execution_end: CALL,
  auto_retry_start: ["auto_retry_start"],
  auto_retry_end: ["auto_retry_end"],
  auto_compaction_start: ["auto_compaction_start"],
  auto_compaction_end: ["auto_compaction_end"],
  ttsr_triggered: ["ttsr_triggered"],
  title_changed: ["session_info_changed"],
  model_changed: ["model_select", "thinking_level_select"],
};

/** Whether anybody hears of it. */
export function isHeard({ type }: SessionEvent, hears: (name: string) => boolean): boolean {
  return TOLD_OF[type]?.some(hears) ?? false;
}

export class ToldEvents {
  readonly #session: Session;
  #reply: AssistantMessage | undefined;
  readonly #calls = new Map<string, { name: string; arguments: unknown }>();
  #model: Model;
  #level: string;

  constructor(session: Session) {
    this.#session = session;
    this.#model = session.model;
    this.#level = session.thinking ?? "off";
  }

  /** In their order; none if the family has no word for it. */
  of(event: SessionEvent): readonly FamilyEvent[] {
    switch (event.type) {
      case "agent_start":
        return [{ type: "agent_start" }];
      case "agent_end": {
        const settled = { type: "agent_settled", aborted: event.end.reason === "aborted" };
        // Of a run that is done it was told before it ended, so that it could go on.
        if (event.end.reason === "done") return [settled];
        const messages = this.#session.messages.map((one) => this.#message(one));
        return [{ type: "agent_end", messages }, settled];
      }
      case "turn_start":
        return [{ type: "turn_start", turnIndex: event.turn - 1, timestamp: Date.now() }];
      case "message_start":
        return [{ type: "message_start", message: this.#partial([]) }];
      case "message_update":
        return this.#update(event.event);
      case "message_end": {
        const message = this.#message(event.message);
        const end = { type: "message_end", message };
        // A reply has begun when it was first heard of.
        return message.role === "assistant" ? [end] : [{ type: "message_start", message }, end];
      }
      case "tool_execution_start": {
        const { id: toolCallId, name: toolName, arguments: args } = event.call;
        this.#calls.set(toolCallId, event.call);
        return [{ type: "tool_execution_start", toolCallId, toolName, args }];
      }
      case "tool_execution_update": {
        const { callId: toolCallId, text } = event;
        const { name: toolName, arguments: args } = this.#calls.get(toolCallId) ?? {};
        const partialResult = { content: [{ type: "text", text }] };
        return [{ type: "tool_execution_update", toolCallId, toolName, args, partialResult }];
      }
      case "tool_execution_end": {
        const { call, result, details, durationMs } = event;
        this.#calls.delete(call.id);
        return [
          {
            type: "tool_execution_end",
            toolCallId: call.id,
            toolName: call.name,
            result: { content: result.content, details },
            isError: result.isError,
            durationMs,
          },
        ];
      }
      case "auto_retry_start":
        return [{ type: "auto_retry_start", attempt: event.attempt, delayMs: event.delayMs }];
      case "auto_retry_end":
        return [{ type: "auto_retry_end", success: event.success, attempt: event.attempts }];
      case "auto_compaction_start":
        return [{ type: "auto_compaction_start", reason: event.reason, action: "context-full" }];
      case "auto_compaction_end": {
        const { result } = event;
        const isDone = !("dropped" in result);
        return [
          {
            type: "auto_compaction_end",
            action: "context-full",
            result: isDone ? { tokensBefore: result.before } : undefined,
            errorMessage: isDone ? undefined : result.dropped,
            aborted: false,
            willRetry: false,
          },
        ];
      }
      case "ttsr_triggered":
        return [{ type: "ttsr_triggered", rules: event.rules }];
      case "title_changed":
        return [{ type: "session_info_changed", name: event.title }];
      case "model_changed":
        return this.#modelChanged();
      default:
        return [];
    }
  }

  #message(message: Parameters<typeof toFamilyMessage>[0]): FamilyMessage {
    const { typed, model } = this.#session;
    return toFamilyMessage(message, { form: typed.custom.of(message), cost: model.cost });
  }

  #partial(content: AssistantBlock[]): FamilyMessage {
    const { provider, id, wire } = this.#session.model;
    this.#reply = {
      role: "assistant",
      content,
      provider,
      model: id,
      wire,
      usage: emptyUsage(),
      stopReason: "stop",
      timestamp: this.#reply?.timestamp ?? Date.now(),
    };
    return toFamilyMessage(this.#reply);
  }

  #update(event: StreamEvent): readonly FamilyEvent[] {
    if (event.type === "start" || event.type === "done" || event.type === "error") return [];
    const content = grown(this.#reply?.content ?? [], event);
    const message = this.#partial(content);
    const { index: contentIndex, type } = event;
    const said = { type, contentIndex, partial: message };
    const more =
      "delta" in event
        ? { delta: event.delta }
        : "block" in event
          ? endOf((message.content as Record<string, unknown>[])[contentIndex] ?? {})
          : {};
    return [{ type: "message_update", message, assistantMessageEvent: { ...said, ...more } }];
  }

  #modelChanged(): readonly FamilyEvent[] {
    const { model, thinking = "off" } = this.#session;
    const [previousModel, previousLevel] = [this.#model, this.#level];
    this.#model = model;
    this.#level = thinking;
    const events: FamilyEvent[] = [];
    if (model.provider !== previousModel.provider || model.id !== previousModel.id) {
      events.push({
        type: "model_select",
        model: toFamilyModel(model),
        previousModel: toFamilyModel(previousModel),
        source: "set",
      });
    }
    if (thinking !== previousLevel) {
      events.push({ type: "thinking_level_select", level: thinking, previousLevel });
    }
    return events;
  }
}

/** What the end of a block says of it, by its kind. */
function endOf(block: Record<string, unknown>): Record<string, unknown> {
  if (block.type === "toolCall") return { toolCall: block };
  return { content: block.text ?? block.thinking };
}

type Growing = Exclude<StreamEvent, { type: "start" | "done" | "error" }>;

function grown(content: readonly AssistantBlock[], event: Growing): AssistantBlock[] {
  const next = [...content];
  const before = next[event.index];
  if (event.type === "text_start") next[event.index] = { type: "text", text: "" };
  else if (event.type === "thinking_start") next[event.index] = { type: "thinking", text: "" };
  else if (event.type === "toolcall_start") {
    next[event.index] = { type: "toolCall", id: event.id, name: event.name, arguments: {} };
  } else if ("block" in event) next[event.index] = event.block;
  else if ("delta" in event && before && before.type !== "toolCall") {
    next[event.index] = { ...before, text: before.text + event.delta };
  }
  // A wire may begin with a later block: nothing has holes.
  return Array.from(next, (block) => block ?? { type: "text", text: "" });
}

export const TOLD_ONLY: readonly string[] = [...new Set(Object.values(TOLD_OF).flat())];
