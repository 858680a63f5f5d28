// Recorded refusals, and the wait that each asks for.

import { expect, test } from "bun:test";
import { callModel } from "../call.ts";
import { encodeSse } from "../sse.ts";
import type { HttpWireId } from "../wire.ts";
import { waitInWords } from "./body-wait.ts";
import { testModel, testRequest } from "./openai-testing.ts";

async function waitOf(
  wire: HttpWireId,
  body: unknown,
  { status = 429, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Promise<number | undefined> {
  const { error } = await callModel(testRequest(testModel(wire)), {
    credential: "k",
    env: { AWS_BEARER_TOKEN_BEDROCK: "k", AWS_REGION: "us-east-1" },
    fetch: async () =>
      new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers }),
  }).result();
  return error!.retryAfterMs;
}

const TPM =
  "Rate limit reached for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000";

test("in words, whatever the wire", async () => {
  const error = (message: string) => ({
    error: { message, type: "tokens", code: "rate_limit_exceeded" },
  });
  for (const wire of ["openai-completions", "openai-responses", "anthropic-messages"] as const) {
    expect(await waitOf(wire, error(`${TPM}. Please try again in 6m0s.`))).toBe(360_000);
    expect(await waitOf(wire, error(`${TPM}. Please try again in 20ms. Visit https://x.`))).toBe(
      20,
    );
  }
  expect(await waitOf("bedrock-converse-stream", { message: "Too fast, retry in 3 seconds" })).toBe(
    3000,
  );
  expect(await waitOf("openai-completions", "Overloaded; retry after 2 s", { status: 503 })).toBe(
    2000,
  );
});

test("in Google's field, also from a gateway that speaks another wire", async () => {
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "32s" }];
  const error = { code: 429, message: "Quota exceeded.", status: "RESOURCE_EXHAUSTED", details };
  expect(await waitOf("google-generative-ai", { error })).toBe(32_000);
  expect(await waitOf("openai-completions", [{ error }])).toBe(32_000);
  const raw = JSON.stringify({ error });
  const passedOn = { message: "Provider returned error", code: 429, metadata: { raw } };
  expect(await waitOf("openai-completions", { error: passedOn })).toBe(32_000);
});

test("in other fields, and in headers that a gateway put into its body", async () => {
  const error = { message: "Slow down.", code: 429 };
  expect(await waitOf("openai-completions", { error: { ...error, retry_after: 4.5 } })).toBe(4500);
  expect(await waitOf("openai-completions", { error: { ...error, retry_after_ms: 40 } })).toBe(40);
  const headers = {
    "X-RateLimit-Remaining": "0",
    "X-RateLimit-Reset": Date.now() + 60_000,
    "": "",
  };
  const wait = await waitOf("openai-completions", { error: { ...error, metadata: { headers } } });
  expect(wait).toBeGreaterThan(50_000);
  expect(wait).toBeLessThanOrEqual(60_000);
});

test("the header that asks comes first, the one about limits last and only for a limit", async () => {
  const body = { error: { message: "Try again in 5s" } };
  const headers = { "retry-after": "2s", "x-ratelimit-reset-tokens": "9s" };
  expect(await waitOf("openai-completions", body, { headers })).toBe(2000);
  const limits = { "x-ratelimit-reset-tokens": "9s" };
  expect(await waitOf("openai-completions", body, { headers: limits })).toBe(5000);
  const plain = { error: { message: "Slow down" } };
  expect(await waitOf("openai-completions", plain, { headers: limits })).toBe(9000);
  expect(
    await waitOf("openai-completions", plain, { headers: limits, status: 500 }),
  ).toBeUndefined();
});

test("in the middle of a stream", async () => {
  const error = {
    message: "Rate limit reached. Please try again in 1.5s.",
    code: "rate_limit_exceeded",
  };
  const body = encodeSse(JSON.stringify({ error }));
  const headers = { "content-type": "text/event-stream" };
  expect(await waitOf("openai-completions", body, { status: 200, headers })).toBe(1500);
});

test("in the ways that it is worded", () => {
  const worded: Record<string, number | undefined> = {
    "Please try again in 7m12.5s.": 432_500,
    "Please retry after 8 seconds.": 8000,
    "Please retry in 46.2s.": 46_200,
    "please wait 1 minute and 5 seconds before the next request": 65_000,
    "Your limit resets in 3 hours": 10_800_000,
    "Wait for about 2 min": 120_000,
    "Try again in 5 models": undefined,
    "Try again in 5": undefined,
    "Try again later": undefined,
    "Please wait before trying again.": undefined,
  };
  for (const [words, ms] of Object.entries(worded)) {
    expect({ words, ms: waitInWords(words) }).toEqual({ words, ms });
  }
});

test("what cannot be waited for has no wait", async () => {
  const refused = { error: { message: "Bad field. Fix it and try again in 5s." } };
  expect(await waitOf("openai-completions", refused, { status: 400 })).toBeUndefined();
});
