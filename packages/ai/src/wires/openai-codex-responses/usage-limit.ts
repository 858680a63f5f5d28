// The plan's limit, both ways: the backend says when it is lifted, so a caller need not
// guess. Every other error is OpenAI's.

import { modelFailure, type ModelFailure } from "../../error.ts";
import { asNumber, asObject, asString, parseObject, type Json } from "../json.ts";
import { encodeErrorReply } from "../openai-failure.ts";
import { failureOfBody } from "../vendor-error.ts";

export const USAGE_LIMIT = "usage_limit_reached";
const MS_PER_SECOND = 1000;

/** Undefined where `error` is about something else. */
export function usageLimitOf(error: Json | undefined, now = Date.now()): ModelFailure | undefined {
  if (error?.type !== USAGE_LIMIT && error?.code !== USAGE_LIMIT) return undefined;
  const seconds = asNumber(error.resets_in_seconds);
  const at = asNumber(error.resets_at);
  const wait =
    seconds !== undefined
      ? seconds * MS_PER_SECOND
      : at === undefined
        ? undefined
        : at * MS_PER_SECOND - now;
  const message = asString(error.message) ?? "The usage limit of the plan is reached.";
  return modelFailure("rate_limit", message, {
    code: USAGE_LIMIT,
    retryAfterMs: wait === undefined ? undefined : Math.max(0, Math.ceil(wait)),
  });
}

export function decodeError(status: number, _headers: Headers, body: string): ModelFailure {
  const limit = usageLimitOf(asObject(parseObject(body)?.error));
  return limit ? { ...limit, status } : failureOfBody(status, body);
}

export function encodeError(failure: ModelFailure): {
  status: number;
  headers: Record<string, string>;
  body: unknown;
} {
  const encoded = encodeErrorReply(failure);
  const { retryAfterMs } = failure;
  if (failure.kind !== "rate_limit" || retryAfterMs === undefined) return encoded;
  const error = {
    type: USAGE_LIMIT,
    message: failure.message,
    resets_in_seconds: Math.ceil(retryAfterMs / MS_PER_SECOND),
  };
  return { ...encoded, body: { error } };
}
