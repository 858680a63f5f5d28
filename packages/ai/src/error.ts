// Why a model call failed, as data. One policy acts on the kind; nothing anywhere
// reads the message text to decide what to do.

import type { Blame } from "./blame.ts";

export type ModelErrorKind =
  | "auth"
  | "rate_limit"
  /** The account has nothing left to pay with; no waiting mends that. */
  | "credit"
  | "overloaded"
  | "context_overflow"
  | "invalid_request"
  /** There is no such model there, or not for this account. */
  | "not_found"
  | "content_filter"
  | "network"
  | "timeout"
  | "aborted"
  /** Not asked: what may be spent is spent. */
  | "budget"
  | "protocol";

/** The plain form: what the log keeps and events carry. */
export interface ModelFailure {
  kind: ModelErrorKind;
  message: string;
  retryable: boolean;
  retryAfterMs?: number;
  status?: number;
  /** The vendor's own code or type, verbatim. */
  code?: string;
  provider?: string;
  /** The model that was asked. */
  model?: string;
  requestId?: string;
  /** Of what does not fit: the model's window, and what was asked for, as the vendor counts them. */
  windowTokens?: number;
  requestTokens?: number;
  /** What of the request was refused, if the vendor says so: without it the request may pass. */
  blames?: readonly Blame[];
}

const RETRYABLE: Record<ModelErrorKind, boolean> = {
  auth: false,
  rate_limit: true,
  credit: false,
  overloaded: true,
  context_overflow: false,
  invalid_request: false,
  not_found: false,
  content_filter: false,
  network: true,
  timeout: true,
  aborted: false,
  budget: false,
  protocol: true,
};

export function modelFailure(
  kind: ModelErrorKind,
  message: string,
  details: Partial<Omit<ModelFailure, "kind" | "message">> = {},
): ModelFailure {
  const failure: ModelFailure = { kind, message, retryable: RETRYABLE[kind] };
  for (const [key, value] of Object.entries(details)) {
    if (value !== undefined) Object.assign(failure, { [key]: value });
  }
  return failure;
}

/** The same failure, understood better: what it is decides whether trying again can help. */
export function asKind(failure: ModelFailure, kind: ModelErrorKind): ModelFailure {
  return { ...failure, kind, retryable: RETRYABLE[kind] };
}

/** The thrown form, for callers that await a whole reply. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure, options?: ErrorOptions) {
    super(failure.message, options);
    this.failure = failure;
  }
}

/** What a bare HTTP status means when the body says nothing better. */
export function kindOfStatus(status: number): ModelErrorKind {
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "credit";
  if (status === 404 || status === 410) return "not_found";
  if (status === 408) return "timeout";
  if (status === 413) return "context_overflow";
  if (status === 429) return "rate_limit";
  if (status >= 500) return "overloaded";
  return "invalid_request";
}
