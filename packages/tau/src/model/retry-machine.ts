// Decides what is done about failed calls of one series (a conversation, or one question beside
// it) and does it, except for the waiting: renews and changes the credential, moves along the
// fallback chain and back. Each series has a machine of its own: what one has tried, and which
// credential it holds, is no other's.

import type { RetryAction } from "@tau/agent/event";
import type { Credential, CredentialSource } from "@tau/ai/credential";
import { ModelError, modelFailure, type ModelFailure } from "@tau/ai/error";
import { decideRecovery, type FailureAction, type RetrySettings } from "@tau/ai/failure-policy";
import type { ModelTarget, TargetChain } from "./model-target.ts";

export interface RetryMachineOptions {
  chain: TargetChain;
  credentials: CredentialSource;
  settings: RetrySettings;
  /** Whose credentials they are: the same one is kept for as long as it works. */
  holder: string;
  /** To begin with, if one is at hand. */
  credential?: Credential;
  now: () => number;
}

/** What was done; the next attempt follows after the wait. */
export interface RetryPlan {
  action: RetryAction;
  delayMs: number;
  /** As it is told, if more is known of it by now than the vendor said. */
  failure?: ModelFailure;
}

/** How long a refused or limited credential or model is left alone if its vendor does not say. */
const DEFAULT_COOLDOWN_MS = 60_000;
/** Whatever a vendor says: two accounts that are both limited must not be asked in turn without end. */
const LEAST_COOLDOWN_MS = 5000;
/** The same for what somebody has to put right first: an empty account, a model that is gone. */
const LASTING_COOLDOWN_MS = 3_600_000;

export class RetryMachine {
  readonly #options: RetryMachineOptions;
  #chain: ModelTarget[];
  #at = 0;
  #credential: Credential | undefined;
  #refreshed = false;
  /** Refused, and its renewal has failed so far: tried again before the next request. */
  #toRenew: Credential | undefined;
  #exhausted = false;
  #waits = 0;
  #coolUntil = 0;

  constructor(options: RetryMachineOptions) {
    this.#options = options;
    this.#chain = [...options.chain];
    this.#credential = options.credential;
  }

  get target(): ModelTarget {
    return this.#chain[this.#at]!;
  }

  /** The one in use and those that are left to fall back to. */
  get rest(): TargetChain {
    return [this.target, ...this.#chain.slice(this.#at + 1)];
  }

  /** The one in use, once a call has needed it. */
  get credential(): Credential | undefined {
    return this.#credential;
  }

  async takeCredential(signal: AbortSignal): Promise<Credential | undefined> {
    const { credentials, holder } = this.#options;
    const { provider } = this.target.model;
    if (this.#toRenew && !(await this.#refresh(signal))) {
      const message = `The login at ${provider} could not be renewed.`;
      throw new ModelError(modelFailure("auth", message));
    }
    this.#credential ??= await credentials.get(provider, { sessionId: holder, signal });
    return this.#credential;
  }

  /** Other models, from the next request on. */
  retarget(chain: TargetChain): void {
    this.#chain = [...chain];
    this.#coolUntil = 0;
    this.#moveTo(0);
  }

  /** Another model in the place of the one in use. */
  replaceTarget(target: ModelTarget): void {
    this.#chain.splice(this.#at, 1, target);
    this.#moveTo(this.#at);
  }

  /** The first wanted one of those to fall back to, in the place of the one in use. */
  promoteTo(isWanted: (target: ModelTarget) => boolean): boolean {
    const at = this.#chain.findIndex((target, index) => index > this.#at && isWanted(target));
    if (at < 0) return false;
    const [target] = this.#chain.splice(at, 1);
    this.replaceTarget(target!);
    return true;
  }

  /** Back to the first model if its cooldown is over. */
  revert(): void {
    if (this.#at > 0 && this.#options.now() >= this.#coolUntil) this.#moveTo(0);
  }

  /** What was tried before is no reason to try less now. */
  startOver(): void {
    this.#waits = 0;
    this.#refreshed = false;
    this.#exhausted = false;
  }

  /** Undefined if nothing is left to try. */
  async next(reason: ModelFailure, signal: AbortSignal): Promise<RetryPlan | undefined> {
    let failure = reason;
    for (;;) {
      const action = this.#decide(failure);
      switch (action.type) {
        case "give_up":
        case "hand_over":
          return undefined;
        case "refresh":
          this.#refreshed = true;
          this.#toRenew = this.#credential;
          try {
            if (await this.#refresh(signal)) return { action: "refresh", delayMs: 0 };
          } catch (error) {
            if (signal.aborted) return undefined;
            // Not renewed is not refused: from here on it is a failure like any other.
            if (!(error instanceof ModelError)) throw error;
            failure = error.failure;
          }
          continue;
        case "rotate":
          if (await this.#rotate(failure)) return { action: "rotate", delayMs: 0 };
          continue;
        case "wait":
          this.#waits++;
          return { action: "wait", delayMs: action.ms };
        case "fallback":
          this.#coolUntil = this.#options.now() + cooldownMs(failure);
          this.#moveTo(this.#at + 1);
          return { action: "fallback", delayMs: 0 };
      }
    }
  }

  #decide(failure: ModelFailure): FailureAction {
    const state = {
      refreshed: this.#refreshed,
      waits: this.#waits,
      canRefresh: this.#credential?.origin === "stored login",
      otherCredentials: this.#exhausted || this.#credential === undefined ? 0 : 1,
      otherModels: this.#chain.length - 1 - this.#at,
    };
    return decideRecovery(failure, state, this.#options.settings);
  }

  /** False if the vendor has decided; throws if it could not be asked. */
  async #refresh(signal: AbortSignal): Promise<boolean> {
    const { credentials } = this.#options;
    const { provider } = this.target.model;
    const renewed = await credentials.refresh(provider, this.#toRenew!, signal);
    this.#toRenew = undefined;
    if (renewed) this.#credential = renewed;
    return renewed !== undefined;
  }

  async #rotate(failure: ModelFailure): Promise<boolean> {
    const { credentials, holder, now } = this.#options;
    const until = now() + cooldownMs(failure);
    const next = await credentials.rotate(this.target.model.provider, this.#credential!, {
      sessionId: holder,
      until,
    });
    if (next) {
      this.#credential = next;
      this.#refreshed = false;
      this.#toRenew = undefined;
    } else this.#exhausted = true;
    return next !== undefined;
  }

  #moveTo(index: number): void {
    this.#at = index;
    this.#credential = undefined;
    this.#toRenew = undefined;
    this.startOver();
  }
}

function cooldownMs({ kind, retryAfterMs }: ModelFailure): number {
  const isLasting = kind === "credit" || kind === "not_found";
  const own = isLasting ? LASTING_COOLDOWN_MS : DEFAULT_COOLDOWN_MS;
  return retryAfterMs ? Math.max(retryAfterMs, LEAST_COOLDOWN_MS) : own;
}
