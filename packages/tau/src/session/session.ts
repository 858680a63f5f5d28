// A session wires a model, tools and a log together and runs prompts on them. The log is
// the conversation: what is in it was acknowledged, and what was acknowledged is in it.

import type { AgentEvent, RunEnd } from "@tau/agent/event";
import { Hooks } from "@tau/agent/hooks";
import { runLoop } from "@tau/agent/loop";
import { ToolTable } from "@tau/agent/tool-table";
import type { Tool } from "@tau/agent/tool";
import type { Message, UserMessage } from "@tau/ai/message";
import type { Model } from "@tau/ai/model";
import {
  COMPACTION_OWNER,
  CompactionBehaviour,
  type CompactionHost,
} from "../behaviours/compaction/compaction-behaviour.ts";
import { DEFAULT_COMPACTION } from "../behaviours/compaction/settings.ts";
import type { ModelRecovery } from "../behaviours/retry/model-recovery.ts";
import { ContextView } from "./context/context-view.ts";
import { LogRecorder } from "./log-recorder.ts";
import type { SessionLog } from "./session-log.ts";

export interface SessionOptions {
  log: SessionLog;
  recovery: ModelRecovery;
  system: readonly string[];
  tools: readonly Tool[];
  maxTurns?: number;
}

export class Session implements AsyncDisposable {
  readonly #options: SessionOptions;
  readonly #tools: ToolTable;
  readonly #view: ContextView;
  readonly #recorder: LogRecorder;
  readonly #compaction: CompactionBehaviour;
  readonly #hooks = new Hooks();
  readonly #listeners = new Set<(event: AgentEvent) => void>();

  private constructor(options: SessionOptions, view: ContextView) {
    this.#options = options;
    this.#tools = new ToolTable(options.tools);
    this.#view = view;
    this.#recorder = new LogRecorder(options.log, view);
    this.#compaction = new CompactionBehaviour(this.#compactionHost(), DEFAULT_COMPACTION);
    this.#hooks.register(COMPACTION_OWNER, this.#compaction.handlers);
  }

  /** Reads what the log's position needs, and no more. */
  static async open(options: SessionOptions): Promise<Session> {
    const branch = await options.log.branch({ sinceCompaction: true });
    return new Session(options, new ContextView(branch));
  }

  get id(): string {
    return this.#options.log.header.id;
  }

  get log(): SessionLog {
    return this.#options.log;
  }

  /** The one in use now: a fallback may have taken over. */
  get model(): Model {
    return this.#options.recovery.target.model;
  }

  /** What the model is sent of the conversation. */
  get messages(): readonly Message[] {
    return this.#view.live.messages;
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
    const { recovery, system, maxTurns } = this.#options;
    recovery.startRun(signal);
    await this.#compaction.beforePrompt(signal);
    const { cacheRetention } = recovery.target.model;
    const { end } = await runLoop({
      request: {
        ...recovery.target,
        system,
        cacheKey: this.id,
        stream: true,
        ...(cacheRetention === undefined ? {} : { cacheRetention }),
      },
      messages: this.#view.context().messages,
      prompt: [message],
      record: this.#recorder.record,
      hooks: this.#hooks,
      compact: this.#compaction.compact,
      tools: this.#tools,
      callModel: recovery.call,
      recover: recovery.recover,
      recovered: recovery.recovered,
      signal,
      emit: this.emit,
      ...(maxTurns === undefined ? {} : { maxTurns }),
    });
    return end;
  }

  #compactionHost(): CompactionHost {
    const { recovery, system } = this.#options;
    return {
      get model() {
        return recovery.target.model;
      },
      system,
      view: this.#view,
      tools: () => this.#tools.specs(),
      promote: (failed) => recovery.promote(failed),
      append: (entries) => this.#recorder.append(entries),
      call: recovery.call,
      notify: this.emit,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#options.log.close();
  }
}
