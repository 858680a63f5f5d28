// What a failure means, as data.

import { describe, expect, test } from "bun:test";
import { kindOfStatus, ModelError, modelFailure } from "./error.ts";

describe("modelFailure", () => {
  test("each kind knows whether trying again can help", () => {
    expect(modelFailure("rate_limit", "x").retryable).toBe(true);
    expect(modelFailure("overloaded", "x").retryable).toBe(true);
    expect(modelFailure("network", "x").retryable).toBe(true);
    expect(modelFailure("timeout", "x").retryable).toBe(true);
    expect(modelFailure("protocol", "x").retryable).toBe(true);
    for (const kind of ["auth", "context_overflow", "invalid_request", "content_filter"] as const)
      expect(modelFailure(kind, "x").retryable).toBe(false);
    expect(modelFailure("aborted", "x").retryable).toBe(false);
  });

  test("details override, and an undefined one leaves no key behind", () => {
    const failure = modelFailure("rate_limit", "x", { retryable: false, status: undefined });
    expect(failure).toStrictEqual({ kind: "rate_limit", message: "x", retryable: false });
  });

  test("the thrown form carries the plain one", () => {
    const failure = modelFailure("auth", "bad key", { status: 401 });
    const error = new ModelError(failure);
    expect(error.failure).toBe(failure);
    expect(error.message).toBe("bad key");
  });
});

test("a bare status has a meaning", () => {
  const meanings = Object.fromEntries(
    [400, 401, 402, 403, 404, 408, 410, 413, 422, 429, 500, 502, 503, 529].map((s) => [
      s,
      kindOfStatus(s),
    ]),
  );
  expect(meanings).toEqual({
    400: "invalid_request",
    401: "auth",
    402: "credit",
    403: "auth",
    404: "not_found",
    408: "timeout",
    410: "not_found",
    413: "context_overflow",
    422: "invalid_request",
    429: "rate_limit",
    500: "overloaded",
    502: "overloaded",
    503: "overloaded",
    529: "overloaded",
  });
});
