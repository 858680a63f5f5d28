// What to do about a failed model call: renew the credential, take another one, wait, take
// another model, hand the problem to the session, or give up. A pure decision over typed
// failures; whoever carries it out can be tested apart from it.

import type { ModelFailure } from "./error.ts";

/** Nobody listens there: a server that restarts is back in seconds, a wrong address never is. */
const NOBODY_THERE: ReadonlySet<string> = new Set(["ECONNREFUSED", "ConnectionRefused"]);
const REFUSED_RETRIES = 3;
/** Whatever a vendor wishes: ten requests a second would only make it worse. */
const LEAST_WAIT_MS = 250;

export interface RetrySettings {
  enabled: boolean;
  /** Waits before giving up on a model. */
  maxRetries: number;
  baseDelayMs: number;
  /** No wait is longer; a vendor that asks for more is not waited for. */
  maxDelayMs: number;
}

export const DEFAULT_RETRY: RetrySettings = {
  enabled: true,
  maxRetries: 10,
  baseDelayMs: 500,
  maxDelayMs: 300_000,
};

/** What has been tried since the last success, for the model now in use. */
export interface RecoveryState {
  /** The credential in use has been renewed already. */
  refreshed: boolean;
  waits: number;
  /** The credential can be renewed at all. */
  canRefresh: boolean;
  /** Credentials of the provider that have not been refused or limited. */
  otherCredentials: number;
  /** Models left in the fallback chain. */
  otherModels: number;
}

export type FailureAction =
  | { type: "refresh" }
  | { type: "rotate" }
  | { type: "wait"; ms: number }
  | { type: "fallback" }
  /** The conversation does not fit: promote to a larger model, or compact. */
  | { type: "hand_over" }
  | { type: "give_up" };

/** `random` in 0..1 spreads the waits of many clients that failed together. */
export function decideRecovery(
  failure: ModelFailure,
  state: RecoveryState,
  settings: RetrySettings,
  random: () => number = Math.random,
): FailureAction {
  if (failure.kind === "aborted" || !settings.enabled) return { type: "give_up" };
  if (failure.kind === "context_overflow") return { type: "hand_over" };
  if (failure.kind === "auth") {
    if (state.canRefresh && !state.refreshed) return { type: "refresh" };
    return credentialOrModel(state);
  }
  // What one account cannot pay for, another may; no account has a model that does not exist.
  if (failure.kind === "credit") return credentialOrModel(state);
  if (failure.kind === "not_found") return modelOrNothing(state);
  if (failure.kind === "rate_limit") {
    // A sibling account answers now; waiting comes after all of them are limited.
    if (state.otherCredentials > 0) return { type: "rotate" };
  }
  if (!failure.retryable) {
    return failure.kind === "rate_limit" ? modelOrNothing(state) : { type: "give_up" };
  }
  const wait = waitFor(failure, state.waits, settings, random);
  const isRefused = failure.code !== undefined && NOBODY_THERE.has(failure.code);
  const most = isRefused ? Math.min(REFUSED_RETRIES, settings.maxRetries) : settings.maxRetries;
  if (state.waits < most && wait !== undefined) return { type: "wait", ms: wait };
  return modelOrNothing(state);
}

function credentialOrModel(state: RecoveryState): FailureAction {
  return state.otherCredentials > 0 ? { type: "rotate" } : modelOrNothing(state);
}

function modelOrNothing(state: RecoveryState): FailureAction {
  return state.otherModels > 0 ? { type: "fallback" } : { type: "give_up" };
}

/** The vendor's own wish, or exponential with up to a quarter of jitter. Undefined: too long. */
function waitFor(
  failure: ModelFailure,
  waits: number,
  settings: RetrySettings,
  random: () => number,
): number | undefined {
  const wished = failure.retryAfterMs;
  // "At once", or in the past, is not a wish that anyone who refuses can mean again and again.
  if (wished !== undefined && wished > 0) {
    return wished <= settings.maxDelayMs ? Math.max(wished, LEAST_WAIT_MS) : undefined;
  }
  const doubled = Math.min(settings.baseDelayMs * 2 ** waits, settings.maxDelayMs);
  return Math.round(doubled * (0.75 + 0.25 * random()));
}
