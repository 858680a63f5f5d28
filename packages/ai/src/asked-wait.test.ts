// The waits that hosts ask for, in all the forms that they are known to use.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { durationMs, limitResetMs, retryAfterMs } from "./asked-wait.ts";

describe("retryAfterMs", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const of = (headers: Record<string, string>) => retryAfterMs(new Headers(headers), now);

  test("milliseconds, seconds or a date, the precise one first", () => {
    expect(of({ "retry-after-ms": "1500", "retry-after": "9" })).toBe(1500);
    expect(of({ "retry-after": "2" })).toBe(2000);
    expect(of({ "retry-after": "0.5" })).toBe(500);
    expect(of({ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" })).toBe(30_000);
  });

  test("a duration, or a time since the epoch", () => {
    expect(of({ "retry-after": "1s" })).toBe(1000);
    expect(of({ "retry-after": "1m30s" })).toBe(90_000);
    expect(of({ "retry-after": "20ms" })).toBe(20);
    expect(of({ "retry-after": String(now / 1000 + 7) })).toBe(7000);
    expect(of({ "retry-after": "2026-01-01T00:00:30Z" })).toBe(30_000);
  });

  test("never longer than a host can mean", () => {
    expect(of({ "retry-after": "1e300" })).toBe(31 * 86_400_000);
    expect(of({ "retry-after-ms": "1e300" })).toBe(31 * 86_400_000);
    expect(of({ "retry-after": "9999 days" })).toBe(31 * 86_400_000);
  });

  test("the past is now", () => {
    expect(of({ "retry-after": "-3" })).toBe(0);
    expect(of({ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" })).toBe(0);
  });

  test("nothing, an empty header and nonsense say nothing", () => {
    expect(of({})).toBeUndefined();
    expect(of({ "retry-after": "" })).toBeUndefined();
    expect(of({ "retry-after-ms": "", "retry-after": " " })).toBeUndefined();
    expect(of({ "retry-after": "soon" })).toBeUndefined();
    expect(of({ "retry-after-ms": "x", "retry-after": "1" })).toBe(1000);
  });
});

describe("limitResetMs", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const of = (headers: Record<string, string>) => limitResetMs(new Headers(headers), now);

  test("OpenAI's durations, of the limits that are used up", () => {
    const headers = {
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": "1s",
      "x-ratelimit-remaining-tokens": "149984",
      "x-ratelimit-reset-tokens": "6m0s",
    };
    expect(of(headers)).toBe(1000);
    expect(of({ ...headers, "x-ratelimit-remaining-tokens": "0" })).toBe(360_000);
    expect(of({ "x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "6m0s" })).toBe(
      360_000,
    );
  });

  test("Anthropic's times", () => {
    expect(
      of({
        "anthropic-ratelimit-requests-remaining": "49",
        "anthropic-ratelimit-requests-reset": "2026-01-01T00:01:00Z",
        "anthropic-ratelimit-input-tokens-remaining": "0",
        "anthropic-ratelimit-input-tokens-reset": "2026-01-01T00:00:12Z",
      }),
    ).toBe(12_000);
  });

  test("seconds, and times since the epoch", () => {
    expect(of({ "x-ratelimit-reset": "30" })).toBe(30_000);
    expect(of({ "x-ratelimit-reset": String(now / 1000 + 5) })).toBe(5000);
    expect(of({ "x-ratelimit-reset": String(now + 5000) })).toBe(5000);
    expect(of({ "x-ratelimit-reset": String(now / 1000 - 5) })).toBe(0);
  });

  test("nothing where nothing is used up, or nothing is said", () => {
    expect(of({})).toBeUndefined();
    expect(of({ "x-ratelimit-remaining": "3", "x-ratelimit-reset": "30" })).toBeUndefined();
    expect(of({ "x-ratelimit-reset": "soon", "x-preset-limit": "3" })).toBeUndefined();
  });
});

test("law: whatever is written, a wait is a whole number within a month, or there is none", () => {
  const number = fc.oneof(fc.double().map(String), fc.integer().map(String), fc.string());
  const unit = fc.constantFrom("", "ms", "s", "m", " hours", "d", "Z", " and 3 s");
  fc.assert(
    fc.property(number, unit, (amount, name) => {
      for (const wait of [
        durationMs(amount + name),
        retryAfterMs(new Headers({ "retry-after": encodeURI(amount.toWellFormed()) + name })),
      ]) {
        if (wait === undefined) continue;
        expect(Number.isInteger(wait) && wait >= 0 && wait <= 31 * 86_400_000).toBe(true);
      }
    }),
  );
});
