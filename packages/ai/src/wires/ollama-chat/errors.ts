// Ollama's errors, both ways: one text. Over HTTP the status says what kind it is; inside a
// stream a server of ours adds it.

import { modelFailure, type ModelFailure } from "../../error.ts";
import { asNumber, asString, type Json } from "../json.ts";
import { failureOf, failureOfBody, statusOf } from "../vendor-error.ts";

/** What Ollama itself answers with where it knows nothing better. */
const UNKNOWN_STATUS = 500;

/** A line in the middle of a stream. */
export function failureOfLine(line: Json): ModelFailure {
  const message = asString(line.error) ?? "Ollama reported a failure without a reason.";
  const { kind } = failureOf({ message }, asNumber(line.status) ?? UNKNOWN_STATUS);
  return modelFailure(kind, message);
}

export function decodeError(status: number, _headers: Headers, body: string): ModelFailure {
  return failureOfBody(status, body);
}

export function encodeFailure(failure: ModelFailure): Json {
  return { error: failure.message, status: statusOf(failure) };
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
  return { status: statusOf(failure), headers, body: { error: failure.message } };
}
