// Compaction as part of a session: asked for by the user, when the context has filled up,
// when a model says that it does not fit, and when nobody is there. What it makes is an entry
// of the log; the conversation goes on with the context that follows from it.

import { HookCalls } from "@tau/agent/hook-calls";
import type { HookHandlers } from "@tau/agent/hooks";
import type { Compactor } from "@tau/agent/loop-options";
import { ModelError, modelFailure } from "@tau/ai/error";
import { textOf, type AssistantMessage } from "@tau/ai/message";
import type { NewEntry } from "../../session/entry.ts";
import type { BehaviourHost } from "../behaviour.ts";
import { AUTO_CONTINUE } from "./auto-continue.ts";
import type { CompactionOutcome } from "./compact.ts";
import type { CompactionSettings } from "./settings.ts";
import type { AskRequest, CompactionDraft, CompactionInput } from "./strategy.ts";
import type { CompactionReason } from "./triggers.ts";

export const COMPACTION_OWNER = { kind: "behaviour", name: "compaction", order: 100 } as const;

/** What it needs of the session it works in. */
export type CompactionHost = Pick<
  BehaviourHost,
  "model" | "system" | "view" | "hooks" | "tools" | "append" | "call" | "promote" | "notify"
>;

export interface CompactionWishes {
  reason: CompactionReason;
  signal: AbortSignal;
  /** What the summary is to attend to. */
  instructions?: string;
  /** Instead of the one in the settings. */
  strategy?: string;
  /** Only where a fresh session can begin now: not in the middle of a run. */
  mayHandOff?: boolean;
}

export type CompactionReport =
  | { type: "compacted"; before: number; after: number }
  | { type: "handoff"; document: string }
  | { type: "dropped"; message: string };

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

  /**
   * Before a prompt: the conversation that it joins may have filled up with its last reply.
   * A handoff is for the caller to act on.
   */
  async beforePrompt(signal: AbortSignal): Promise<CompactionReport | undefined> {
    const { messages, sinceCompaction } = this.#host.view.live;
    const reply = messages.findLast((message) => message.role === "assistant");
    // A reply from before the latest compaction measured what is no longer there.
    const isNewer = reply !== undefined && messages.indexOf(reply) >= sinceCompaction;
    if (!isNewer || !(await this.#isDue(reply))) return undefined;
    return this.run({ reason: "threshold", signal, mayHandOff: true });
  }

  /** The run's way to a shorter conversation. */
  readonly compact: Compactor = async ({ reason, signal }) => {
    const why = REASONS.find((known) => known === reason) ?? "threshold";
    const report = await this.run({ reason: why, signal });
    if (report.type !== "compacted") return undefined;
    if (why === "threshold" && this.#settings.autoContinue) {
      await this.#host.append([AUTO_CONTINUE]);
    }
    return this.#host.view.context().messages;
  };

  /** For the run: a reply that a full window cut off. */
  readonly isCutByWindow = async (reply: AssistantMessage): Promise<boolean> => {
    const decision = await this.#decide(reply);
    return decision.type === "compact" && decision.reason === "incomplete";
  };

  /** Milliseconds after which to look again, where idle compaction is wanted at all. */
  get idleAfterMs(): number | undefined {
    const { enabled, strategy, idleEnabled, idleTimeoutSeconds } = this.#settings;
    return enabled && strategy !== "off" && idleEnabled ? idleTimeoutSeconds * 1000 : undefined;
  }

  async whenIdle(idleMs: number, signal: AbortSignal): Promise<CompactionReport | undefined> {
    const [{ decideWhenIdle }, { contextTokens, overheadTokens }] = await Promise.all([
      import("./triggers.ts"),
      import("./estimate-tokens.ts"),
    ]);
    const overhead = overheadTokens(this.#host.system, this.#host.tools());
    const tokens = contextTokens(this.#host.view.live, overhead);
    const decision = decideWhenIdle({
      contextTokens: tokens,
      idleMs,
      settings: this.#settings,
    });
    return decision.type === "compact" ? this.run({ reason: "idle", signal }) : undefined;
  }

  async run(wishes: CompactionWishes): Promise<CompactionReport> {
    const { reason } = wishes;
    this.#host.notify({ type: "auto_compaction_start", reason });
    const report = await this.#attempt(wishes);
    const result =
      report.type === "compacted"
        ? { before: report.before, after: report.after }
        : { dropped: report.type === "dropped" ? report.message : HANDED_OVER };
    this.#host.notify({ type: "auto_compaction_end", reason, result });
    return report;
  }

  async #attempt(wishes: CompactionWishes): Promise<CompactionReport> {
    const { signal, reason } = wishes;
    const hooks = new HookCalls(this.#host.hooks, { signal, emit: this.#host.notify });
    const replaced = await this.#askHooks(hooks, reason);
    if (replaced && "cancelled" in replaced)
      return { type: "dropped", message: replaced.cancelled };
    const input = await this.#input(wishes, hooks);
    const outcome = replaced
      ? (await import("./compact.ts")).weigh(replaced.draft, input, {})
      : await this.#propose(wishes, input);
    if (outcome.type === "dropped") return { type: "dropped", message: outcome.message };
    if (outcome.type === "handoff") return { type: "handoff", document: outcome.document };
    await this.#host.append([outcome.entry]);
    const entryId = this.#host.view.leafId ?? "";
    await hooks.notify("session_compact", { reason, entryId });
    return { type: "compacted", ...(await this.#sizes(outcome.entry, input)) };
  }

  /** Someone may object, or bring a compaction of their own. */
  async #askHooks(
    hooks: HookCalls,
    reason: string,
  ): Promise<{ cancelled: string } | { draft: CompactionDraft } | undefined> {
    for (const answer of await hooks.session("session_before_compact", { reason })) {
      if ("cancel" in answer) {
        return { cancelled: answer.reason ?? "An extension does not want it now." };
      }
      return { draft: { ...(answer.compaction as CompactionDraft), fromExtension: true } };
    }
    return undefined;
  }

  async #input(wishes: CompactionWishes, hooks: HookCalls): Promise<CompactionInput> {
    const { reason, instructions } = wishes;
    const additions = await hooks.session("session_compacting", { reason });
    const context = additions.flatMap((addition) => addition.context ?? []);
    const reinject = additions.flatMap((addition) => addition.reinject ?? []);
    const prompt = additions.findLast((addition) => addition.prompt !== undefined)?.prompt;
    const preserveData = Object.assign({}, ...additions.map((addition) => addition.preserveData));
    return {
      branch: this.#host.view.entries,
      reason,
      settings: this.#settings,
      model: this.#host.model,
      system: this.#host.system,
      tools: this.#host.tools(),
      ...(instructions === undefined ? {} : { instructions }),
      ...(context.length === 0 ? {} : { additionalContext: context }),
      ...(prompt === undefined ? {} : { prompt }),
      ...(reinject.length === 0 ? {} : { reinject }),
      ...(Object.keys(preserveData as object).length === 0 ? {} : { preserveData }),
    };
  }

  /** A summariser that fails leaves the conversation as it is: long, and whole. */
  async #propose(wishes: CompactionWishes, input: CompactionInput): Promise<CompactionOutcome> {
    const [{ compact }, { loadStrategy }] = await Promise.all([
      import("./compact.ts"),
      import("./strategies.ts"),
    ]);
    const { signal } = wishes;
    const wanted = await loadStrategy(wishes.strategy ?? this.#settings.strategy);
    const isImpossible = wanted?.name === "handoff" && !wishes.mayHandOff;
    const strategy = wanted && !isImpossible ? wanted : (await loadStrategy("summary"))!;
    try {
      return await compact(strategy, input, {
        ask: (request) => this.#ask(request, signal),
        fetch: (url, init) => fetch(url, init),
        signal,
      });
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const message = signal.aborted ? STOPPED : error.message;
      return { type: "dropped", reason: "empty_summary", message };
    }
  }

  async #sizes(
    entry: Extract<NewEntry, { type: "compaction" | "prune" }>,
    input: CompactionInput,
  ): Promise<{ before: number; after: number }> {
    if (entry.type === "compaction")
      return { before: entry.tokensBefore, after: entry.tokensAfter };
    const { measureContext } = await import("./plan-compaction.ts");
    const before = measureContext(input).tokens;
    return { before, after: Math.max(0, before - entry.tokensSaved) };
  }

  async #isDue(reply: AssistantMessage): Promise<boolean> {
    const decision = await this.#decide(reply);
    return decision.type === "compact" && decision.reason === "threshold";
  }

  async #decide(reply: AssistantMessage) {
    const [{ decideAfterReply }, { measuredTokens }] = await Promise.all([
      import("./triggers.ts"),
      import("./estimate-tokens.ts"),
    ]);
    return decideAfterReply({
      reply,
      model: this.#host.model,
      contextTokens: measuredTokens(reply),
      settings: this.#settings,
      wasRecovered: false,
    });
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

const REASONS: readonly CompactionReason[] = ["threshold", "overflow", "incomplete", "manual"];
const STOPPED = "The summary was stopped; the conversation is as it was.";
const HANDED_OVER = "The conversation goes on in a fresh session.";
