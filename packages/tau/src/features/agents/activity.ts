// What an agent does and has used, from the events of its session.

import { costOf, usd } from "@tau/agent/budget";
import type { ToolCallBlock } from "@tau/ai/message";
import type { ModelCost } from "@tau/ai/model";
import type { SessionEvent } from "../../session/session-event.ts";

/** A line of a list. */
const MAX_CHARACTERS = 80;
/** Arguments that say what a call is about, the most telling first. */
const TELLING = [
  "command",
  "path",
  "pattern",
  "paths",
  "pat",
  "to",
  "message",
  "agent",
  "op",
  "title",
];

export class Activity {
  doing: string | undefined;
  requests = 0;
  tokens = 0;
  costUsd = 0;
  lastActiveAt = Date.now();
  #calls = new Map<string, string>();

  /** Whether anything of it would be shown otherwise now. */
  take(event: SessionEvent, cost: ModelCost): boolean {
    this.lastActiveAt = Date.now();
    switch (event.type) {
      case "message_start":
        this.doing ??= "answering";
        return true;
      case "message_end": {
        const { message } = event;
        if (message.role !== "assistant") return false;
        const { input, output, cacheRead, cacheWrite } = message.usage;
        this.requests += 1;
        this.tokens += input + output + cacheRead + cacheWrite;
        this.costUsd = usd(this.costUsd + costOf(message.usage, cost));
        this.doing = this.#last();
        return true;
      }
      case "tool_execution_start":
        this.#calls.set(event.call.id, callInWords(event.call));
        this.doing = this.#last();
        return true;
      case "tool_execution_end":
        this.#calls.delete(event.call.id);
        this.doing = this.#last();
        return true;
      case "auto_retry_start":
        this.doing = "waiting to ask the model again";
        return true;
      case "approval_start":
        this.doing = `waiting for consent: ${event.call.name}`;
        return true;
      case "agent_end":
        this.#calls.clear();
        this.doing = undefined;
        return true;
      default:
        return false;
    }
  }

  #last(): string | undefined {
    return [...this.#calls.values()].at(-1);
  }
}

export function callInWords({ name, arguments: args }: ToolCallBlock): string {
  const key = TELLING.find((one) => args[one] !== undefined);
  const value = key === undefined ? undefined : args[key];
  const words = Array.isArray(value) ? value.join(", ") : value;
  if (typeof words !== "string") return name;
  const line = words.replaceAll(/\s+/g, " ").trim();
  const cut = line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS - 1)}…` : line;
  return cut === "" ? name : `${name}: ${cut}`;
}
