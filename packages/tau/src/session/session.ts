// A session wires a model, tools and a conversation together and runs prompts on them.
// It owns the conversation and who listens; the rest belongs to its parts.

import type { AgentEvent, RunEnd } from "@tau/agent/event";
import { runLoop } from "@tau/agent/loop";
import { ToolTable } from "@tau/agent/tool-table";
import type { Tool } from "@tau/agent/tool";
import type { Message, UserMessage } from "@tau/ai/message";
import type { ChosenModel } from "../model/choose-model.ts";

export interface SessionOptions {
  chosen: ChosenModel;
  system: readonly string[];
  tools: readonly Tool[];
  maxTurns?: number;
}

export class Session {
  readonly #options: SessionOptions;
  readonly #tools: ToolTable;
  readonly #messages: Message[] = [];
  readonly #listeners = new Set<(event: AgentEvent) => void>();
  readonly #id = crypto.randomUUID();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#tools = new ToolTable(options.tools);
  }

  get model(): ChosenModel["model"] {
    return this.#options.chosen.model;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Returns the way to stop listening. */
  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async prompt(message: UserMessage, signal: AbortSignal): Promise<RunEnd> {
    this.#messages.push(message);
    const { chosen, system, maxTurns } = this.#options;
    const { end, added } = await runLoop({
      request: { model: chosen.model, system, cacheKey: this.#id, stream: true },
      messages: this.#messages,
      tools: this.#tools,
      callModel: chosen.call,
      signal,
      emit: (event) => {
        for (const listener of this.#listeners) listener(event);
      },
      ...(maxTurns === undefined ? {} : { maxTurns }),
    });
    this.#messages.push(...added);
    return end;
  }
}
