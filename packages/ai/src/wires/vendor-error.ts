// Vendors wrap their errors differently but mean the same few things. Their codes and
// types are matched as a table; message text is shown, never interpreted.

import { kindOfStatus, modelFailure, type ModelErrorKind, type ModelFailure } from "../error.ts";
import { asNumber, asObject, asString, parseObject, type Json } from "./json.ts";

const KIND_OF_CODE: Record<string, ModelErrorKind> = {
  authentication_error: "auth",
  permission_error: "auth",
  permission_denied: "auth",
  unauthenticated: "auth",
  invalid_api_key: "auth",
  rate_limit_error: "rate_limit",
  rate_limit_exceeded: "rate_limit",
  resource_exhausted: "rate_limit",
  insufficient_quota: "rate_limit",
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
  request_too_large: "context_overflow",
  content_filter: "content_filter",
  content_policy_violation: "content_filter",
  invalid_request_error: "invalid_request",
  invalid_argument: "invalid_request",
  invalid_prompt: "invalid_request",
  not_found_error: "invalid_request",
  not_found: "invalid_request",
};

/** Codes that no amount of waiting mends. */
const FINAL_CODES = new Set(["insufficient_quota"]);

/** Reads the error object of a body or of an in-stream event. */
export function failureOf(error: Json, status?: number): ModelFailure {
  const numeric = asNumber(error.code) ?? asNumber(error.status) ?? status;
  const codes = [error.code, error.status, error.type].map(asString);
  const code = codes.find((name) => name !== undefined && name !== "");
  let kind: ModelErrorKind | undefined;
  for (const name of codes) if (name) kind ??= KIND_OF_CODE[name.toLowerCase()];
  // The status tells a bad key or a full quota apart where the type is only "invalid request".
  if (kind === undefined || (kind === "invalid_request" && numeric !== undefined)) {
    kind = numeric === undefined ? (kind ?? "protocol") : kindOfStatus(numeric);
  }
  const message = asString(error.message) ?? (code || `HTTP ${numeric ?? "error"}`);
  return modelFailure(kind, message, {
    status: numeric,
    code,
    retryable: code !== undefined && FINAL_CODES.has(code) ? false : undefined,
  });
}

/** The failure behind a non-2xx reply: JSON in any of the usual envelopes, or plain text. */
export function failureOfBody(status: number, body: string): ModelFailure {
  const json = parseObject(body);
  const error = json && (asObject(json.error) ?? json);
  if (error) {
    const message =
      asString(error.message) ??
      asString(json.error) ??
      asString(error.detail) ??
      asString(error.msg);
    return failureOf({ ...error, message: message ?? `HTTP ${status}` }, status);
  }
  const text = body.trim();
  const shown = text === "" || text.startsWith("<") ? `HTTP ${status}` : text.slice(0, 500);
  return modelFailure(kindOfStatus(status), shown, { status });
}

/** The status a server answers a failure with, the inverse of `kindOfStatus`. */
export function statusOf(failure: ModelFailure): number {
  // A failure found inside a 200 must not go out as one.
  if (failure.status !== undefined && failure.status >= 400) return failure.status;
  const statuses: Record<ModelErrorKind, number> = {
    auth: 401,
    rate_limit: 429,
    overloaded: 503,
    context_overflow: 400,
    invalid_request: 400,
    content_filter: 400,
    network: 502,
    timeout: 504,
    aborted: 499,
    budget: 402,
    protocol: 502,
  };
  return statuses[failure.kind];
}
