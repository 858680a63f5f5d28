// A session wires a model, tools and a conversation together and runs prompts on them.
// It owns the conversation and who listens; the rest belongs to its parts.

import type { AgentEvent, RunEnd } from "@tau/agent/event";
import { runLoop } from "@tau/agent/loop";
import { ToolTable } from "@tau/agent/tool-table";
import type { Tool } from "@tau/agent/tool";
import type { Message, UserMessage } from "@tau/ai/message";
import type { Model } from "@tau/ai/model";
import type { ModelRecovery } from "../behaviours/retry/model-recovery.ts";

export interface SessionOptions {
  id: string;
  recovery: ModelRecovery;
  system: readonly string[];
  tools: readonly Tool[];
  maxTurns?: number;
}

export class Session {
  readonly #options: SessionOptions;
  readonly #tools: ToolTable;
  readonly #messages: Message[] = [];
  readonly #listeners = new Set<(event: AgentEvent) => void>();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#tools = new ToolTable(options.tools);
  }

  get id(): string {
    return this.#options.id;
  }

  /** The one in use now: a fallback may have taken over. */
  get model(): Model {
    return this.#options.recovery.target.model;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Returns the way to stop listening. */
  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Everything that happens in a run reaches its listeners through here. */
  readonly emit = (event: AgentEvent): void => {
    for (const listener of this.#listeners) listener(event);
  };

  async prompt(message: UserMessage, signal: AbortSignal): Promise<RunEnd> {
    this.#messages.push(message);
    const { id, recovery, system, maxTurns } = this.#options;
    recovery.startRun(signal);
    const { cacheRetention } = recovery.target.model;
    const { end, added } = await runLoop({
      request: {
        ...recovery.target,
        system,
        cacheKey: id,
        stream: true,
        ...(cacheRetention === undefined ? {} : { cacheRetention }),
      },
      messages: this.#messages,
      tools: this.#tools,
      callModel: recovery.call,
      recover: recovery.recover,
      recovered: recovery.recovered,
      signal,
      emit: this.emit,
      ...(maxTurns === undefined ? {} : { maxTurns }),
    });
    this.#messages.push(...added);
    return end;
  }
}
