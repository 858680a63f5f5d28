// Google's error envelope, both ways.

import { modelFailure, type ModelErrorKind, type ModelFailure } from "../../error.ts";
import { kindOfText } from "../failure-texts.ts";
import { asArray, asObject, type Json } from "../json.ts";
import { failureOf, failureOfBody, statusOf } from "../vendor-error.ts";

/** A bad key is an invalid argument to this vendor; only the details tell. */
const BAD_KEY = "API_KEY_INVALID";
const RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo";

/** The names of google.rpc.Code that go with each HTTP status. */
const STATUS_NAME: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ABORTED",
  413: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  500: "INTERNAL",
  501: "UNIMPLEMENTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

const SAFETY = "The vendor's safety filter stopped the reply";

/** How a reply ended, where it did not end well. The rest is `STOP`, or too long. */
const KIND_OF_FINISH: Record<string, ModelErrorKind> = {
  SAFETY: "content_filter",
  RECITATION: "content_filter",
  LANGUAGE: "content_filter",
  BLOCKLIST: "content_filter",
  PROHIBITED_CONTENT: "content_filter",
  SPII: "content_filter",
  IMAGE_SAFETY: "content_filter",
  IMAGE_PROHIBITED_CONTENT: "content_filter",
  IMAGE_RECITATION: "content_filter",
  MALFORMED_FUNCTION_CALL: "protocol",
  UNEXPECTED_TOOL_CALL: "protocol",
  TOO_MANY_TOOL_CALLS: "protocol",
  MALFORMED_RESPONSE: "protocol",
  MISSING_THOUGHT_SIGNATURE: "invalid_request",
  OTHER: "protocol",
};

/** Vendors and their imitators add reasons; only those above are known to be failures. */
export function isKnownFailure(reason: string): boolean {
  return Object.hasOwn(KIND_OF_FINISH, reason);
}

export function failureOfFinish(reason: string, message: string | undefined): ModelFailure {
  const kind = KIND_OF_FINISH[reason] ?? "protocol";
  const said = kind === "content_filter" ? SAFETY : "The model ended its reply";
  return modelFailure(kind, message ?? `${said} (${reason}).`, { code: reason });
}

export function failureOfPrompt(reason: string, message: string | undefined): ModelFailure {
  const text = message ?? `The vendor's safety filter refused the request (${reason}).`;
  return modelFailure("content_filter", text, { code: reason });
}

export function failureOfError(error: Json, status?: number): ModelFailure {
  const failure = failureOf(error, status);
  if (asArray(error.details).some((detail) => asObject(detail)?.reason === BAD_KEY)) {
    failure.kind = "auth";
  }
  return failure;
}

export function decodeError(status: number, _headers: Headers, body: string): ModelFailure {
  const error = errorOf(body);
  return error ? failureOfError(error, status) : failureOfBody(status, body);
}

/** The streaming endpoint wraps even its errors in an array. */
function errorOf(body: string): Json | undefined {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  return asObject(asObject(Array.isArray(json) ? json[0] : json)?.error);
}

export function encodeFailure(failure: ModelFailure): Json {
  const code = statusOf(failure);
  // The vendor has no code for a conversation that outgrew the window, only this text.
  const overflow =
    failure.kind === "context_overflow" && kindOfText(failure.message) !== failure.kind;
  const error: Json = {
    code,
    message: overflow
      ? `The input token count exceeds the maximum number of tokens allowed: ${failure.message}`
      : failure.message,
    status: STATUS_NAME[code] ?? (code >= 500 ? "INTERNAL" : "INVALID_ARGUMENT"),
  };
  if (failure.retryAfterMs !== undefined) {
    error.details = [{ "@type": RETRY_INFO, retryDelay: `${failure.retryAfterMs / 1000}s` }];
  }
  return error;
}

export function encodeError(failure: ModelFailure): {
  status: number;
  headers: Record<string, string>;
  body: unknown;
} {
  const headers: Record<string, string> = {};
  if (failure.retryAfterMs !== undefined) {
    headers["retry-after"] = String(Math.ceil(failure.retryAfterMs / 1000));
  }
  return { status: statusOf(failure), headers, body: { error: encodeFailure(failure) } };
}
