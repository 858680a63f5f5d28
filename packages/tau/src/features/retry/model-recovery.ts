// Carries out the failure policy for one session: renews and changes credentials, waits,
// moves along the fallback chain and back. The loop asks it about every failed reply; the
// user sees what it does as events, and an abort ends it at once.

import type { RecoveryEvent } from "@tau/agent/event";
import type { ModelCaller, Recovery } from "@tau/agent/loop";
import type { Credential, CredentialSource } from "@tau/ai/credential";
import { modelFailure, type ModelFailure } from "@tau/ai/error";
import { decideRecovery, type FailureAction, type RetrySettings } from "@tau/ai/failure-policy";
import type { AssistantMessage } from "@tau/ai/message";
import type { Model, ThinkingLevel } from "@tau/ai/model";
import type { ReplyStream } from "@tau/ai/reply-stream";
import type { ModelRequest, ServiceTier } from "@tau/ai/request";

export interface ModelTarget {
  model: Model;
  thinking?: ThinkingLevel;
  serviceTier?: ServiceTier;
}

/** One call on the network (or in process) with the credential that was chosen for it. */
export type TargetCaller = (
  request: ModelRequest,
  options: { signal: AbortSignal; credential: () => Promise<Credential | undefined> },
) => ReplyStream;

export interface RecoveryOptions {
  /** The model asked for, then those to fall back to. */
  chain: readonly [ModelTarget, ...ModelTarget[]];
  call: TargetCaller;
  credentials: CredentialSource;
  settings: RetrySettings;
  /** `cooldown-expiry`: a run begins with the first model again once its limit is over. */
  revert: "cooldown-expiry" | "never";
  sessionId: string;
  emit: (event: RecoveryEvent) => void;
  /** A sibling of a model with more room, where it names one that can be used. */
  larger?: (model: Model) => Promise<ModelTarget | undefined>;
  now?: () => number;
}

/** How long the first model is left alone where its vendor did not say. */
const DEFAULT_COOLDOWN_MS = 60_000;

export class ModelRecovery {
  readonly #options: RecoveryOptions;
  readonly #now: () => number;
  #chain: ModelTarget[];
  #at = 0;
  #credential: Credential | undefined;
  #refreshed = false;
  #waits = 0;
  #attempts = 0;
  #exhausted = false;
  #coolUntil = 0;
  #signal: AbortSignal = new AbortController().signal;

  constructor(options: RecoveryOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#chain = [...options.chain];
  }

  get target(): ModelTarget {
    return this.#chain[this.#at]!;
  }

  /** The user chose another model: from the next request on. */
  retarget(chain: readonly [ModelTarget, ...ModelTarget[]]): void {
    this.#chain = [...chain];
    this.#coolUntil = 0;
    this.#moveTo(0);
  }

  /** Before each run: back to the first model, if its cooldown is over. */
  startRun(signal: AbortSignal): void {
    this.#signal = signal;
    this.#attempts = 0;
    const mayRevert = this.#options.revert === "cooldown-expiry" && this.#now() >= this.#coolUntil;
    if (this.#at > 0 && mayRevert) this.#moveTo(0);
  }

  readonly call: ModelCaller = (request, { signal }) =>
    this.#options.call(request, {
      signal,
      credential: async () => {
        const { sessionId, credentials } = this.#options;
        const { provider } = this.target.model;
        this.#credential ??= await credentials.get(provider, { sessionId, signal });
        return this.#credential;
      },
    });

  readonly recovered = (): void => {
    if (this.#attempts > 0) {
      this.#options.emit({ type: "auto_retry_end", success: true, attempts: this.#attempts });
    }
    this.#attempts = 0;
    this.#waits = 0;
    this.#refreshed = false;
    this.#exhausted = false;
  };

  readonly recover = async (failed: AssistantMessage): Promise<Recovery> => {
    const failure = failed.error ?? modelFailure("protocol", "The reply failed without a reason.");
    const action = await this.#carryOut(failure);
    if (action && !this.#signal.aborted) {
      return { type: "retry", request: this.target, callModel: this.call };
    }
    if (this.#attempts > 0) {
      this.#options.emit({ type: "auto_retry_end", success: false, attempts: this.#attempts });
    }
    return { type: "give_up" };
  };

  /**
   * For a conversation that has outgrown its model: goes on with the sibling that the model
   * names for it, for the rest of the session.
   */
  async promote(failed: AssistantMessage): Promise<Recovery | undefined> {
    const larger = await this.#options.larger?.(this.target.model);
    if (!larger) return undefined;
    this.#chain.splice(this.#at, 1, larger);
    this.#moveTo(this.#at);
    const failure =
      failed.error ?? modelFailure("context_overflow", "The conversation is too long.");
    this.#announce("fallback", failure, 0);
    return { type: "retry", request: larger, callModel: this.call };
  }

  /** False where nothing is left to try here. */
  async #carryOut(failure: ModelFailure): Promise<boolean> {
    for (;;) {
      const action = this.#decide(failure);
      switch (action.type) {
        case "give_up":
        case "hand_over":
          return false;
        case "refresh": {
          this.#refreshed = true;
          const renewed = await this.#refresh();
          if (!renewed) continue;
          this.#announce("refresh", failure, 0);
          return true;
        }
        case "rotate": {
          const next = await this.#rotate(failure);
          if (!next) continue;
          this.#announce("rotate", failure, 0);
          return true;
        }
        case "wait":
          this.#waits++;
          this.#announce("wait", failure, action.ms);
          return this.#sleep(action.ms);
        case "fallback":
          this.#coolUntil = this.#now() + (failure.retryAfterMs ?? DEFAULT_COOLDOWN_MS);
          this.#moveTo(this.#at + 1);
          this.#announce("fallback", failure, 0);
          return true;
      }
    }
  }

  #decide(failure: ModelFailure): FailureAction {
    const { settings } = this.#options;
    return decideRecovery(
      failure,
      {
        refreshed: this.#refreshed,
        waits: this.#waits,
        canRefresh: this.#credential?.origin === "stored login",
        otherCredentials: this.#exhausted || this.#credential === undefined ? 0 : 1,
        otherModels: this.#chain.length - 1 - this.#at,
      },
      settings,
    );
  }

  async #refresh(): Promise<boolean> {
    const { credentials } = this.#options;
    const { provider } = this.target.model;
    const renewed = await credentials.refresh(provider, this.#credential!, this.#signal);
    if (renewed) this.#credential = renewed;
    return renewed !== undefined;
  }

  async #rotate(failure: ModelFailure): Promise<boolean> {
    const { credentials, sessionId } = this.#options;
    const until =
      failure.kind === "rate_limit"
        ? this.#now() + (failure.retryAfterMs ?? DEFAULT_COOLDOWN_MS)
        : undefined;
    const next = await credentials.rotate(this.target.model.provider, this.#credential!, {
      sessionId,
      ...(until === undefined ? {} : { until }),
    });
    if (next) {
      this.#credential = next;
      this.#refreshed = false;
    } else this.#exhausted = true;
    return next !== undefined;
  }

  #moveTo(index: number): void {
    this.#at = index;
    this.#credential = undefined;
    this.#refreshed = false;
    this.#exhausted = false;
    this.#waits = 0;
  }

  #announce(
    action: "refresh" | "rotate" | "wait" | "fallback",
    failure: ModelFailure,
    delayMs: number,
  ): void {
    this.#attempts++;
    const { provider, id } = this.target.model;
    const model = `${provider}/${id}`;
    const attempt = this.#attempts;
    this.#options.emit({ type: "auto_retry_start", attempt, action, delayMs, failure, model });
  }

  /** False where the wait was aborted. */
  #sleep(ms: number): Promise<boolean> {
    const signal = this.#signal;
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((settle) => {
      const onAbort = (): void => {
        clearTimeout(timer);
        settle(false);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", onAbort);
        settle(true);
      }, ms);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }
}
