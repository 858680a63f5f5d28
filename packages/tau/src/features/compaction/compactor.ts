// Compaction as part of a session: asked for by the user, when the context has filled up,
// when a model says that it does not fit, and when nobody is there. What it makes is an entry
// of the log; the conversation goes on with the context that follows from it.

import { HookCalls } from "@tau/agent/hook-calls";
import { EXTENSION_ORDER, type HookHandlers } from "@tau/agent/hooks";
import type { CompactionCall, CompactionReport } from "@tau/agent/session-hook-points";
import { ModelError } from "@tau/ai/error";
import type { AssistantMessage } from "@tau/ai/message";
import type { Automatism } from "../../feature-api/protocol.ts";
import { partKey } from "../../base/part.ts";
import type { NewEntry } from "../../session/entry.ts";
import type { SessionHost } from "../../session/session-host.ts";
import { askForText } from "./ask-for-text.ts";
import { AUTO_CONTINUE } from "./auto-continue.ts";
import type { CompactionOutcome } from "./compact.ts";
import type { CompactionSettings } from "./settings.ts";
import type { CompactionDraft, CompactionInput } from "./strategy.ts";
import type { CompactionReason } from "./triggers.ts";

/** What it needs of the session it works in. */
export type CompactionHost = Pick<
  SessionHost,
  "model" | "system" | "view" | "hooks" | "tools" | "append" | "line" | "promote" | "notify"
>;

export interface CompactionWishes extends CompactionCall {
  reason: CompactionReason;
  signal: AbortSignal;
}

export const AFTER_EXTENSIONS = EXTENSION_ORDER + 10;

/** The session's. */
export const COMPACTION = partKey<Compactor>("compaction");

export class Compactor implements Automatism {
  /** Only what is asked for by hand is done. */
  isPaused = false;
  readonly #host: CompactionHost;
  readonly #settings: CompactionSettings;

  constructor(host: CompactionHost, settings: CompactionSettings) {
    this.#host = host;
    this.#settings = settings;
  }

  readonly handlers: HookHandlers = {
    failure: async ({ failure, mayCompact }) => {
      if (failure.kind !== "context_overflow") return undefined;
      // Where the same conversation fits elsewhere, nothing has to be summarised away.
      const promoted = await this.#host.promote(failure);
      if (promoted) return promoted;
      const isWanted = mayCompact && this.#settings.enabled;
      // What a summary would keep is what does not fit: the line to the model sends less of it.
      return isWanted && !(await this.#isOneTooLarge()) ? { type: "compact" } : undefined;
    },
    // After the last reply of a run nobody waits for room; the next prompt makes it.
    turn_end: async ({ message, results }) =>
      results.length > 0 && (await this.#isDue(message))
        ? { type: "compact", reason: "threshold" }
        : undefined,
    // What follows is the first answer's: an extension may have another way.
    session_before_prompt: {
      order: AFTER_EXTENSIONS,
      handle: (_told, { signal }) => this.#beforePrompt(signal),
    },
    session_shorten: {
      order: AFTER_EXTENSIONS,
      handle: (call, { signal }) => this.#shorten(call, signal),
    },
    session_cut_reply: {
      order: AFTER_EXTENSIONS,
      handle: ({ reply }) => this.#isCutByWindow(reply),
    },
  };

  /**
   * Before a prompt: the conversation that it joins may have filled up with its last reply.
   * A handoff is for the caller to act on.
   */
  async #beforePrompt(signal: AbortSignal): Promise<CompactionReport | undefined> {
    const { messages, sinceCompaction } = this.#host.view.live;
    const reply = messages.findLast((message) => message.role === "assistant");
    // A reply from before the latest compaction measured what is no longer there.
    const isNewer = reply !== undefined && messages.indexOf(reply) >= sinceCompaction;
    if (!isNewer || !(await this.#isDue(reply))) return undefined;
    return this.run({ reason: "threshold", signal, mayHandOff: true });
  }

  async #shorten(call: CompactionCall, signal: AbortSignal): Promise<CompactionReport> {
    const reason = REASONS.find((known) => known === call.reason) ?? "threshold";
    const report = await this.run({ ...call, reason, signal });
    if (report.type === "compacted" && reason === "threshold" && this.#settings.autoContinue) {
      await this.#host.append([AUTO_CONTINUE]);
    }
    return report;
  }

  async #isCutByWindow(reply: AssistantMessage): Promise<boolean> {
    const decision = await this.#decide(reply);
    return decision.type === "compact" && decision.reason === "incomplete";
  }

  async #isOneTooLarge(): Promise<boolean> {
    const { isOneTooLarge } = await import("./triggers.ts");
    const { model, system, view, tools } = this.#host;
    return isOneTooLarge({
      messages: view.live.messages,
      model,
      system,
      tools: tools(),
      settings: this.#settings,
    });
  }

  /** Whether the settings want it to happen by itself. */
  get isEnabled(): boolean {
    return this.#settings.enabled && this.#settings.strategy !== "off";
  }

  /** Milliseconds after which to look again, where idle compaction is wanted at all. */
  get idleAfterMs(): number | undefined {
    const { idleEnabled, idleTimeoutSeconds } = this.#settings;
    return this.isEnabled && idleEnabled ? idleTimeoutSeconds * 1000 : undefined;
  }

  async whenIdle(idleMs: number, signal: AbortSignal): Promise<CompactionReport | undefined> {
    const [{ decideWhenIdle }, { contextTokens }, { overheadTokens }] = await Promise.all([
      import("./triggers.ts"),
      import("./estimate-tokens.ts"),
      import("../../base/message-tokens.ts"),
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
    if (this.isPaused && reason !== "manual") return { type: "dropped", message: PAUSED };
    const hooks = new HookCalls(this.#host.hooks, { signal, emit: this.#host.notify });
    const replaced = await this.#askHooks(hooks, wishes);
    if (replaced && "cancelled" in replaced)
      return { type: "dropped", message: replaced.cancelled };
    const input = await this.#input(wishes, hooks);
    const outcome = replaced
      ? (await import("./compact.ts")).weigh(replaced.draft, input, {})
      : await this.#propose(wishes, input);
    if (outcome.type === "dropped") {
      return { type: "dropped", message: outcome.message, failure: outcome.failure };
    }
    if (outcome.type === "handoff") return { type: "handoff", document: outcome.document };
    await this.#host.append([outcome.entry]);
    const entryId = this.#host.view.leafId ?? "";
    await hooks.notify("session_compact", { reason, entryId });
    return { type: "compacted", ...(await this.#sizes(outcome.entry, input)) };
  }

  /** Someone may object, or bring a compaction of their own. */
  async #askHooks(
    hooks: HookCalls,
    { reason, instructions }: CompactionWishes,
  ): Promise<{ cancelled: string } | { draft: CompactionDraft } | undefined> {
    if (!hooks.has("session_before_compact")) return undefined;
    const { foreseenCompaction } = await import("./plan-compaction.ts");
    const plan = foreseenCompaction({ ...this.#facts, reason });
    const told = { reason, instructions, plan };
    for (const answer of await hooks.session("session_before_compact", told)) {
      if ("cancel" in answer) {
        return { cancelled: answer.reason ?? "An extension prevented it." };
      }
      return { draft: { ...(answer.compaction as CompactionDraft), fromExtension: true } };
    }
    return undefined;
  }

  /** What of the session a compaction goes by. */
  get #facts() {
    const { view, model, system } = this.#host;
    const tools = this.#host.tools();
    return { branch: view.entries, settings: this.#settings, model, system, tools };
  }

  async #input(wishes: CompactionWishes, hooks: HookCalls): Promise<CompactionInput> {
    const { reason, instructions } = wishes;
    const additions = await hooks.session("session_compacting", { reason });
    const context = additions.flatMap((addition) => addition.context ?? []);
    const reinject = additions.flatMap((addition) => addition.reinject ?? []);
    const prompt = additions.findLast((addition) => addition.prompt !== undefined)?.prompt;
    const preserveData = Object.assign({}, ...additions.map((addition) => addition.preserveData));
    return {
      ...this.#facts,
      reason,
      instructions,
      asSent: this.#host.line.asSent,
      additionalContext: context.length === 0 ? undefined : context,
      prompt,
      reinject: reinject.length === 0 ? undefined : reinject,
      preserveData: Object.keys(preserveData as object).length === 0 ? undefined : preserveData,
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
        ask: askForText(this.#host, { purpose: PURPOSE, signal }),
        askService: (service, request) =>
          this.#host.line.askService(service, request, { purpose: PURPOSE, signal }),
      });
    } catch (error) {
      if (!(error instanceof ModelError) && error !== signal.reason) throw error;
      const failure = error instanceof ModelError && !signal.aborted ? error.failure : undefined;
      const message = failure?.message ?? STOPPED;
      return { type: "dropped", reason: "model_failed", message, failure };
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
    });
  }
}

const PURPOSE = "compaction";
const REASONS: readonly CompactionReason[] = ["threshold", "overflow", "incomplete", "manual"];
const PAUSED = "The client has turned this off.";
const STOPPED = "The summary was stopped; the conversation is unchanged.";
const HANDED_OVER = "The conversation continues in a new session.";
