// Vendors wrap their errors differently but mean the same few things. Their codes and types are
// matched as a table, then their words (failure-texts.ts), then the status.

import { kindOfStatus, modelFailure, type ModelErrorKind, type ModelFailure } from "../error.ts";
import { waitOfError } from "./body-wait.ts";
import { errorOf, upstreamOf } from "./error-body.ts";
import { kindOfText } from "./failure-texts.ts";
import { asNumber, asString, parseObject, type Json } from "./json.ts";
import { overflowSizes } from "./overflow-sizes.ts";

/** Codes that mean the same wherever they occur; those of one host are in its row. */
const KIND_OF_CODE: Record<string, ModelErrorKind> = {
  authentication_error: "auth",
  permission_error: "auth",
  permission_denied: "auth",
  unauthenticated: "auth",
  invalid_api_key: "auth",
  rate_limit_error: "rate_limit",
  rate_limit_exceeded: "rate_limit",
  resource_exhausted: "rate_limit",
  insufficient_quota: "credit",
  insufficient_credits: "credit",
  insufficient_balance: "credit",
  insufficient_funds: "credit",
  exceeded_current_quota_error: "credit",
  billing_error: "credit",
  billing_not_active: "credit",
  billing_hard_limit_reached: "credit",
  payment_required: "credit",
  overloaded_error: "overloaded",
  overloaded: "overloaded",
  api_error: "overloaded",
  server_error: "overloaded",
  internal_error: "overloaded",
  internal: "overloaded",
  unavailable: "overloaded",
  timeout_error: "timeout",
  deadline_exceeded: "timeout",
  context_length_exceeded: "context_overflow",
  exceed_context_size_error: "context_overflow",
  model_max_prompt_tokens_exceeded: "context_overflow",
  request_too_large: "context_overflow",
  content_filter: "content_filter",
  content_policy_violation: "content_filter",
  invalid_request_error: "invalid_request",
  invalid_argument: "invalid_request",
  invalid_prompt: "invalid_request",
  not_found_error: "not_found",
  not_found: "not_found",
  notfounderror: "not_found",
  resource_not_found_error: "not_found",
  deploymentnotfound: "not_found",
  invalid_model: "not_found",
  model_not_found: "not_found",
  model_not_available: "not_found",
  model_not_supported: "not_found",
  model_decommissioned: "not_found",
};

/**
 * Kinds that leave a question open which the vendor's words may answer. The rest are decided:
 * a filter that quotes a prompt about prompts that are too long is still a filter.
 */
const OPEN: ReadonlySet<ModelErrorKind> = new Set([
  "invalid_request",
  "rate_limit",
  "overloaded",
  "not_found",
  "protocol",
]);

const BAD_REQUEST = 400;
const UNAUTHORISED = 401;

/** Reads the error object of a body or of an in-stream event. */
export function failureOf(error: Json, status?: number): ModelFailure {
  const numeric = httpStatus(error.code) ?? httpStatus(error.status) ?? status;
  const codes = [error.code, error.status, error.type].map(codeText);
  const code = codes.find((name) => name !== undefined && name !== "");
  const message = asString(error.message) ?? (code || `HTTP ${numeric ?? "error"}`);
  const kind = kindOf(codes, numeric, message);
  const sizes = kind === "context_overflow" ? overflowSizes(error, message) : {};
  const retryAfterMs = waitOfError(error);
  const own = modelFailure(kind, message, { status: numeric, code, retryAfterMs, ...sizes });
  const upstream = upstreamOf(error);
  return upstream ? withUpstream(own, upstream) : own;
}

function kindOf(
  codes: readonly (string | undefined)[],
  status: number | undefined,
  message: string,
): ModelErrorKind {
  let coded: ModelErrorKind | undefined;
  for (const name of codes) if (name) coded ??= KIND_OF_CODE[name.toLowerCase()];
  const isOpen = (coded === undefined && status !== UNAUTHORISED) || (coded && OPEN.has(coded));
  const said = isOpen ? kindOfText(message) : undefined;
  if (said !== undefined) return said;
  // Ollama calls everything an "api_error"; what is refused with a 400 is refused again.
  if (coded === "overloaded" && status === BAD_REQUEST) return kindOfStatus(status);
  // The status tells a bad key or a full quota apart where the type is only "invalid request".
  if (coded !== undefined && (coded !== "invalid_request" || status === undefined)) return coded;
  return status === undefined ? "protocol" : kindOfStatus(status);
}

/** A gateway's own words are often only that something went wrong elsewhere. */
function withUpstream(
  own: ModelFailure,
  { body, name }: NonNullable<ReturnType<typeof upstreamOf>>,
): ModelFailure {
  const told = failureOf(body, own.status);
  const isTelling = !OPEN.has(told.kind) || told.kind === "not_found";
  const kind = OPEN.has(own.kind) && isTelling ? told.kind : own.kind;
  const message = `${name ? `${name}: ` : ""}${told.message}`;
  const { windowTokens, requestTokens } = told;
  return modelFailure(kind, message, {
    status: own.status,
    code: own.code ?? told.code,
    retryAfterMs: own.retryAfterMs ?? told.retryAfterMs,
    windowTokens,
    requestTokens,
  });
}

/** Some hosts number their own errors in the place of a status. */
function httpStatus(value: unknown): number | undefined {
  const number = asNumber(value);
  return number !== undefined && number >= 400 && number < 600 ? number : undefined;
}

function codeText(value: unknown): string | undefined {
  const number = asNumber(value);
  return number !== undefined && httpStatus(number) === undefined
    ? String(number)
    : asString(value);
}

/** The failure behind a non-2xx reply: JSON in any of the usual envelopes, or plain text. */
export function failureOfBody(status: number, body: string): ModelFailure {
  const json = parseObject(unlisted(body));
  if (json) {
    const error = errorOf(json);
    return failureOf({ ...error, message: error.message ?? `HTTP ${status}` }, status);
  }
  const text = body.trim();
  const isShown = text !== "" && !text.startsWith("<");
  return failureOf({ message: isShown ? text.slice(0, 500) : `HTTP ${status}` }, status);
}

/** Google's streaming endpoints send a list with one error in it. */
function unlisted(body: string): string {
  const text = body.trim();
  return text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
}

/** The status a server answers a failure with, the inverse of `kindOfStatus`. */
export function statusOf(failure: ModelFailure): number {
  // A failure found inside a 200 must not go out as one.
  if (failure.status !== undefined && failure.status >= 400) return failure.status;
  const statuses: Record<ModelErrorKind, number> = {
    auth: 401,
    rate_limit: 429,
    credit: 402,
    overloaded: 503,
    context_overflow: 400,
    invalid_request: 400,
    not_found: 404,
    content_filter: 400,
    network: 502,
    timeout: 504,
    aborted: 499,
    budget: 402,
    protocol: 502,
  };
  return statuses[failure.kind];
}
