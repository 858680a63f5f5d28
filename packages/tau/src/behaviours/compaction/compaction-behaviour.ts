// Compaction as part of a run: asked for when the context has filled up, and when a model
// says that it does not fit. What it makes is an entry of the log; the run goes on with the
// context that follows from it.

import type { CompactionEvent } from "@tau/agent/event";
import type { HookHandlers } from "@tau/agent/hooks";
import type { Compactor } from "@tau/agent/loop-options";
import type { Recovery } from "@tau/agent/model-caller";
import { ModelError, modelFailure } from "@tau/ai/error";
import { textOf, type AssistantMessage } from "@tau/ai/message";
import type { Model } from "@tau/ai/model";
import type { ReplyStream } from "@tau/ai/reply-stream";
import type { ModelRequest, ToolSpec } from "@tau/ai/request";
import type { ContextView } from "../../session/context/context-view.ts";
import type { NewEntry } from "../../session/entry.ts";
import type { CompactionOutcome } from "./compact.ts";
import type { CompactionSettings } from "./settings.ts";
import type { AskRequest } from "./strategy.ts";
import type { CompactionReason } from "./triggers.ts";

export const COMPACTION_OWNER = { kind: "behaviour", name: "compaction", order: 100 } as const;

/** What it needs of the session it works in. */
export interface CompactionHost {
  readonly model: Model;
  readonly system: readonly string[];
  readonly view: ContextView;
  tools(): readonly ToolSpec[];
  /** Goes on with a larger model, where there is one. */
  promote(failed: AssistantMessage): Promise<Recovery | undefined>;
  append(entries: readonly NewEntry[]): Promise<void>;
  call(request: ModelRequest, options: { signal: AbortSignal }): ReplyStream;
  notify(event: CompactionEvent): void;
}

export class CompactionBehaviour {
  readonly #host: CompactionHost;
  readonly #settings: CompactionSettings;

  constructor(host: CompactionHost, settings: CompactionSettings) {
    this.#host = host;
    this.#settings = settings;
  }

  readonly handlers: HookHandlers = {
    failure: async ({ failure, reply }) => {
      if (failure.kind !== "context_overflow") return undefined;
      // Where the same conversation fits elsewhere, nothing has to be summarised away.
      const promoted = await this.#host.promote(reply);
      return promoted ?? (this.#settings.enabled ? { type: "compact" } : undefined);
    },
    // Behind the last reply of a run nobody waits for room; the next prompt makes it.
    turn_end: async ({ message, results }) =>
      results.length > 0 && (await this.#isDue(message))
        ? { type: "compact", reason: "threshold" }
        : undefined,
  };

  /** Before a prompt: the conversation that it joins may have filled up with its last reply. */
  async beforePrompt(signal: AbortSignal): Promise<void> {
    const { messages, sinceCompaction } = this.#host.view.live;
    const reply = messages.findLast((message) => message.role === "assistant");
    // A reply from before the latest compaction measured what is no longer there.
    const isNewer = reply !== undefined && messages.indexOf(reply) >= sinceCompaction;
    if (isNewer && (await this.#isDue(reply))) {
      await this.compact({ reason: "threshold", messages, signal });
    }
  }

  async #isDue(reply: AssistantMessage): Promise<boolean> {
    const [{ decideAfterReply }, { measuredTokens }] = await Promise.all([
      import("./triggers.ts"),
      import("./estimate-tokens.ts"),
    ]);
    const decision = decideAfterReply({
      reply,
      model: this.#host.model,
      contextTokens: measuredTokens(reply),
      settings: this.#settings,
      wasRecovered: false,
    });
    return decision.type === "compact" && decision.reason === "threshold";
  }

  /** The run's way to a shorter conversation. */
  readonly compact: Compactor = async ({ reason, signal }) => {
    const why = (reason === "overflow" ? "overflow" : "threshold") satisfies CompactionReason;
    const { view } = this.#host;
    this.#host.notify({ type: "auto_compaction_start", reason: why });
    const [{ compact }, { loadStrategy }] = await Promise.all([
      import("./compact.ts"),
      import("./strategies.ts"),
    ]);
    const strategy =
      (await loadStrategy(this.#settings.strategy)) ?? (await loadStrategy("summary"));
    const outcome = await this.#attempt(() =>
      compact(
        strategy!,
        {
          branch: view.entries,
          reason: why,
          settings: this.#settings,
          model: this.#host.model,
          system: this.#host.system,
          tools: this.#host.tools(),
        },
        { ask: (request) => this.#ask(request, signal), signal },
      ),
    );
    if (outcome.type !== "compaction" && outcome.type !== "prune") {
      const dropped =
        outcome.type === "dropped" ? outcome.message : "A handoff needs a new session.";
      this.#host.notify({ type: "auto_compaction_end", reason: why, result: { dropped } });
      return undefined;
    }
    await this.#host.append([outcome.entry]);
    const result =
      outcome.type === "compaction"
        ? { before: outcome.entry.tokensBefore, after: outcome.entry.tokensAfter }
        : { before: outcome.entry.tokensSaved, after: 0 };
    this.#host.notify({ type: "auto_compaction_end", reason: why, result });
    return view.context().messages;
  };

  /** A summariser that fails leaves the conversation as it is: long, and whole. */
  async #attempt(work: () => Promise<CompactionOutcome>): Promise<CompactionOutcome> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      return { type: "dropped", reason: "empty_summary", message: error.message };
    }
  }

  async #ask({ maxOutput, ...request }: AskRequest, signal: AbortSignal): Promise<string> {
    const { model } = this.#host;
    const reply = await this.#host
      .call({ tools: [], ...request, model, maxOutput, stream: true }, { signal })
      .result();
    if (reply.error) throw new ModelError(reply.error);
    if (reply.stopReason === "aborted") throw new ModelError(modelFailure("aborted", "Aborted."));
    return textOf(reply);
  }
}
