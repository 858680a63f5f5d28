// OpenAI's error envelope, which both of its wires share.

import type { ModelErrorKind, ModelFailure } from "../error.ts";
import type { Json } from "./json.ts";
import { statusOf } from "./vendor-error.ts";

const MS_PER_SECOND = 1000;

const TYPE_OF_KIND: Record<ModelErrorKind, string> = {
  auth: "authentication_error",
  rate_limit: "rate_limit_error",
  credit: "insufficient_quota",
  overloaded: "server_error",
  context_overflow: "invalid_request_error",
  invalid_request: "invalid_request_error",
  not_found: "invalid_request_error",
  content_filter: "invalid_request_error",
  network: "server_error",
  timeout: "server_error",
  aborted: "server_error",
  budget: "insufficient_quota",
  protocol: "server_error",
};

/** The codes without which a kind would not be recognised from its type and status. */
const CODE_OF_KIND: Partial<Record<ModelErrorKind, string>> = {
  credit: "insufficient_quota",
  context_overflow: "context_length_exceeded",
  not_found: "model_not_found",
  content_filter: "content_filter",
};

/** What stands in the place of a code where the envelope has no `type` beside it. */
const EVENT_CODE_OF_KIND: Record<ModelErrorKind, string> = {
  auth: "invalid_api_key",
  rate_limit: "rate_limit_exceeded",
  credit: "insufficient_quota",
  overloaded: "server_error",
  context_overflow: "context_length_exceeded",
  invalid_request: "invalid_request_error",
  not_found: "model_not_found",
  content_filter: "content_filter",
  network: "server_error",
  timeout: "server_error",
  aborted: "server_error",
  budget: "insufficient_quota",
  protocol: "server_error",
};

export function encodeFailure(failure: ModelFailure): Json {
  return {
    message: failure.message,
    type: TYPE_OF_KIND[failure.kind],
    param: null,
    code: CODE_OF_KIND[failure.kind] ?? failure.code ?? null,
  };
}

/** The code of an error event; there the kind must be told by the code alone. */
export function failureCode(failure: ModelFailure): string {
  return EVENT_CODE_OF_KIND[failure.kind];
}

export function encodeErrorReply(failure: ModelFailure): {
  status: number;
  headers: Record<string, string>;
  body: unknown;
} {
  const headers: Record<string, string> = {};
  const wait = failure.retryAfterMs;
  if (wait !== undefined) {
    headers["retry-after-ms"] = String(Math.ceil(wait));
    headers["retry-after"] = String(Math.ceil(wait / MS_PER_SECOND));
  }
  if (failure.requestId !== undefined) headers["x-request-id"] = failure.requestId;
  return { status: statusOf(failure), headers, body: { error: encodeFailure(failure) } };
}
