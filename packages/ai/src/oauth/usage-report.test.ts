import { expect, test } from "bun:test";
import { OAuthServer } from "@tau/testkit/oauth-server";
import { TestUser } from "@tau/testkit/oauth-server-user";
import { OAuthError, type OAuthTokens } from "./oauth.ts";
import { fetchUsageReport, hasUsageReport } from "./usage-report.ts";

const TOKENS: OAuthTokens = {
  access: "the-access",
  refresh: "the-refresh",
  headers: { "chatgpt-account-id": "acc" },
};

async function report(provider: string, body: unknown) {
  await using server = new OAuthServer({ routes: { "GET /usage": () => Response.json(body) } });
  const { context } = new TestUser();
  const usage = await fetchUsageReport(provider, TOKENS, context, server.url("/usage"));
  return { usage, headers: server.calls[0]!.headers };
}

test("anthropic: windows with their percentages and resets", async () => {
  const { usage, headers } = await report("anthropic", {
    five_hour: { utilization: 25.4, resets_at: "2026-01-28T15:00:00Z" },
    seven_day: { utilization: 40, resets_at: null },
    seven_day_opus: null,
    surprise: 1,
  });
  expect(usage.limits).toEqual([
    { name: "5 hours", usedPercent: 25, resetsAt: Date.UTC(2026, 0, 28, 15) },
    { name: "7 days", usedPercent: 40 },
  ]);
  expect(headers.get("authorization")).toBe("Bearer the-access");
  expect(headers.get("anthropic-beta")).toBe("oauth-2025-04-20");
});

test("openai-codex: windows named by their length, for the account", async () => {
  const { usage, headers } = await report("openai-codex", {
    plan_type: "plus",
    rate_limit: {
      primary_window: { used_percent: 6, reset_at: 1_738_300_000, limit_window_seconds: 18_000 },
      secondary_window: { used_percent: 140, limit_window_seconds: 604_800 },
    },
  });
  expect(usage).toEqual({
    plan: "plus",
    limits: [
      { name: "5 hours", usedPercent: 6, resetsAt: 1_738_300_000_000 },
      { name: "7 days", usedPercent: 100 },
    ],
  });
  expect(headers.get("chatgpt-account-id")).toBe("acc");
});

test("github-copilot: what remains, with GitHub's token", async () => {
  const { usage, headers } = await report("github-copilot", {
    copilot_plan: "individual_pro",
    quota_reset_date: "2026-02-01",
    quota_snapshots: {
      premium_interactions: { percent_remaining: 80 },
      chat: { percent_remaining: 100, unlimited: true },
    },
  });
  expect(usage).toEqual({
    plan: "individual_pro",
    limits: [{ name: "premium requests", usedPercent: 20, resetsAt: Date.UTC(2026, 1, 1) }],
  });
  expect(headers.get("authorization")).toBe("token the-refresh");
});

test("a vendor that refuses: typed, and without the token", async () => {
  await using server = new OAuthServer();
  server.failNext("/usage", { status: 429, body: { message: "slow down, the-access" } });
  const { context } = new TestUser();
  const error = (await fetchUsageReport("anthropic", TOKENS, context, server.url("/usage")).catch(
    (caught: unknown) => caught,
  )) as OAuthError;
  expect(error).toBeInstanceOf(OAuthError);
  expect(error.message).toBe("the vendor returned no usage report: slow down, …");
  expect([hasUsageReport("anthropic"), hasUsageReport("groq")]).toEqual([true, false]);
});
