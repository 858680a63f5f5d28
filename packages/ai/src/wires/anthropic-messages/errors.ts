// Errors of the Messages API, both ways.

import type { ModelErrorKind, ModelFailure } from "../../error.ts";
import { kindOfText } from "../failure-texts.ts";
import type { Json } from "../json.ts";
import { failureOfBody, statusOf } from "../vendor-error.ts";

const TYPE_OF_KIND: Record<ModelErrorKind, string> = {
  auth: "authentication_error",
  rate_limit: "rate_limit_error",
  credit: "billing_error",
  overloaded: "overloaded_error",
  context_overflow: "invalid_request_error",
  invalid_request: "invalid_request_error",
  not_found: "not_found_error",
  content_filter: "invalid_request_error",
  network: "api_error",
  timeout: "timeout_error",
  aborted: "api_error",
  budget: "billing_error",
  protocol: "api_error",
};

const TYPES = new Set([...Object.values(TYPE_OF_KIND), "permission_error", "request_too_large"]);

const OVERLOADED_STATUS = 529;

export function decodeError(status: number, _headers: Headers, body: string): ModelFailure {
  return failureOfBody(status, body);
}

export function encodeFailure(failure: ModelFailure): Json {
  const { kind, code, message } = failure;
  const type = code !== undefined && TYPES.has(code) ? code : TYPE_OF_KIND[kind];
  // The vendor has no code for a conversation that outgrew the window, only this text.
  const overflow = kind === "context_overflow" && kindOfText(message) !== kind;
  return { type, message: overflow ? `prompt is too long: ${message}` : message };
}

export function encodeError(failure: ModelFailure): {
  status: number;
  headers: Record<string, string>;
  body: unknown;
} {
  const headers: Record<string, string> = {};
  const requestId = failure.requestId ?? null;
  if (requestId !== null) headers["request-id"] = requestId;
  if (failure.retryAfterMs !== undefined) {
    headers["retry-after"] = String(Math.ceil(failure.retryAfterMs / 1000));
  }
  const overloaded = failure.kind === "overloaded" && failure.status === undefined;
  return {
    status: overloaded ? OVERLOADED_STATUS : statusOf(failure),
    headers,
    body: { type: "error", error: encodeFailure(failure), request_id: requestId },
  };
}
