// Failures on Tau's own wire: the plain form, as it is.

import { modelFailure, type ModelErrorKind, type ModelFailure } from "../../error.ts";
import { asNumber, asObject, asString, parseObject } from "../json.ts";
import { failureOfBody, statusOf } from "../vendor-error.ts";
import { PROTOCOL_VERSION } from "./protocol.ts";

const KINDS: Record<ModelErrorKind, true> = {
  auth: true,
  rate_limit: true,
  credit: true,
  overloaded: true,
  context_overflow: true,
  invalid_request: true,
  not_found: true,
  content_filter: true,
  network: true,
  timeout: true,
  aborted: true,
  budget: true,
  protocol: true,
};

/** The failure that was sent; undefined where the value is none. */
export function failureIn(value: unknown): ModelFailure | undefined {
  const failure = asObject(value);
  const message = asString(failure?.message);
  if (!failure || message === undefined || !Object.hasOwn(KINDS, String(failure.kind))) {
    return undefined;
  }
  const { retryable } = failure;
  return modelFailure(failure.kind as ModelErrorKind, message, {
    retryable: typeof retryable === "boolean" ? retryable : undefined,
    retryAfterMs: asNumber(failure.retryAfterMs),
    status: asNumber(failure.status),
    code: asString(failure.code),
    provider: asString(failure.provider),
    model: asString(failure.model),
    requestId: asString(failure.requestId),
  });
}

export function decodeError(status: number, _headers: Headers, body: string): ModelFailure {
  return failureIn(parseObject(body)?.error) ?? failureOfBody(status, body);
}

export function encodeError(failure: ModelFailure): {
  status: number;
  headers: Record<string, string>;
  body: unknown;
} {
  const body = { version: PROTOCOL_VERSION, error: failure };
  return { status: statusOf(failure), headers: {}, body };
}
