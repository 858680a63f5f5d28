// How a call to the service fails, both ways: a code of the Connect protocol, and in its details
// often the service's own word and a sentence for people.

import { retryAfterMs } from "../../asked-wait.ts";
import { asKind, modelFailure, type ModelErrorKind, type ModelFailure } from "../../error.ts";
import { asArray, asObject, asString, parseObject, type Json } from "../json.ts";
import { failureOf, failureOfBody, statusOf } from "../vendor-error.ts";

/** The protocol's own table: what each code is as a status. */
const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  canceled: 499,
  invalid_argument: 400,
  deadline_exceeded: 504,
  not_found: 404,
  already_exists: 409,
  permission_denied: 403,
  resource_exhausted: 429,
  failed_precondition: 400,
  aborted: 409,
  out_of_range: 400,
  unimplemented: 501,
  internal: 500,
  unavailable: 503,
  data_loss: 500,
  unauthenticated: 401,
};

const CODE_OF_KIND: Record<ModelErrorKind, string> = {
  auth: "unauthenticated",
  rate_limit: "resource_exhausted",
  credit: "resource_exhausted",
  overloaded: "unavailable",
  context_overflow: "invalid_argument",
  invalid_request: "invalid_argument",
  not_found: "not_found",
  content_filter: "invalid_argument",
  network: "unavailable",
  timeout: "deadline_exceeded",
  aborted: "canceled",
  budget: "resource_exhausted",
  protocol: "internal",
};

/** The service's own words, where its code leaves open what is the matter. */
const KIND_OF_WORD: Readonly<Record<string, ModelErrorKind>> = {
  ERROR_NOT_LOGGED_IN: "auth",
  ERROR_BAD_API_KEY: "auth",
  ERROR_AUTH_TOKEN_NOT_FOUND: "auth",
  ERROR_AUTH_TOKEN_EXPIRED: "auth",
  ERROR_UNAUTHORIZED: "auth",
  ERROR_FREE_USER_RATE_LIMIT_EXCEEDED: "rate_limit",
  ERROR_PRO_USER_RATE_LIMIT_EXCEEDED: "rate_limit",
  ERROR_OPENAI_RATE_LIMIT_EXCEEDED: "rate_limit",
  ERROR_FREE_USER_USAGE_LIMIT: "credit",
  ERROR_PRO_USER_USAGE_LIMIT: "credit",
  ERROR_PRO_USER_ONLY: "credit",
  ERROR_CONVERSATION_TOO_LONG: "context_overflow",
  ERROR_BAD_MODEL_NAME: "not_found",
  ERROR_OUTDATED_CLIENT: "invalid_request",
};

const WORD_OF_KIND: Partial<Record<ModelErrorKind, string>> = {
  credit: "ERROR_PRO_USER_USAGE_LIMIT",
  context_overflow: "ERROR_CONVERSATION_TOO_LONG",
};

/** What the last message of a call says; undefined if the call did not fail. */
export function failureAtEnd(text: string): ModelFailure | undefined {
  const end = parseObject(text);
  const error = asObject(end?.error);
  if (!error) return undefined;
  const failure = failureOfError(error);
  const headers = new Headers();
  for (const [name, values] of Object.entries(asObject(end?.metadata) ?? {})) {
    if (/^[\w-]+$/.test(name)) headers.set(name, asString(asArray(values)[0]) ?? "");
  }
  const requestId = headers.get("x-request-id") ?? undefined;
  return { ...failure, retryAfterMs: retryAfterMs(headers), requestId };
}

function failureOfError(error: Json): ModelFailure {
  const code = asString(error.code) ?? "unknown";
  const { word, sentence } = detailsOf(error);
  const message = sentence ?? asString(error.message) ?? code;
  const failure = failureOf({ code, message }, STATUS_OF_CODE[code]);
  const told = modelFailure(failure.kind, message, {
    status: STATUS_OF_CODE[code],
    code: word ?? code,
  });
  const kind = word === undefined ? undefined : KIND_OF_WORD[word];
  return kind === undefined ? told : asKind(told, kind);
}

function detailsOf(error: Json): { word?: string; sentence?: string } {
  for (const detail of asArray(error.details)) {
    const debug = asObject(asObject(detail)?.debug);
    if (!debug) continue;
    const said = asObject(debug.details);
    return {
      word: asString(debug.error),
      sentence: asString(said?.detail) ?? asString(said?.title),
    };
  }
  return {};
}

export function decodeError(status: number, _headers: Headers, body: string): ModelFailure {
  const error = parseObject(body);
  if (!error || asString(error.code) === undefined) return failureOfBody(status, body);
  return { ...failureOfError(error), status };
}

export function encodeFailure(failure: ModelFailure): Json {
  const { kind, message } = failure;
  const word = WORD_OF_KIND[kind];
  const details =
    word === undefined
      ? undefined
      : [
          {
            type: "aiserver.v1.ErrorDetails",
            debug: { error: word, details: { detail: message } },
          },
        ];
  return { code: CODE_OF_KIND[kind], message, details };
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
  return { status: statusOf(failure), headers, body: encodeFailure(failure) };
}
