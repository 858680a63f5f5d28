// How much of a plan is used up, asked of the vendors that tell. None of them documents
// this, so whatever is not as expected is left out, and nothing depends on it.

import { asNumber, asObject, asString, type Json } from "../wires/json.ts";
import type { OAuthContext, OAuthTokens } from "./oauth.ts";
import { plainWords } from "./plain-words.ts";
import { failureOf, requestVendor } from "./vendor-request.ts";

export interface UsageLimit {
  /** What it limits, for people: "5 hours". */
  name: string;
  usedPercent: number;
  /** Milliseconds since the epoch. */
  resetsAt?: number;
}

export interface UsageReport {
  plan?: string;
  limits: UsageLimit[];
}

interface UsageSource {
  url: string;
  headers(tokens: OAuthTokens): Record<string, string>;
  read(body: Json): UsageReport;
}

const MS_PER_S = 1000;
const S_PER_HOUR = 3600;
const HOURS_PER_DAY = 24;

const SOURCES: Readonly<Record<string, UsageSource>> = {
  anthropic: {
    url: "https://api.anthropic.com/api/oauth/usage",
    headers: ({ access }) => ({
      authorization: `Bearer ${access}`,
      "anthropic-beta": "oauth-2025-04-20",
    }),
    read: (body) => ({
      limits: [
        anthropicLimit("5 hours", body.five_hour),
        anthropicLimit("7 days", body.seven_day),
        anthropicLimit("7 days, Opus", body.seven_day_opus),
        anthropicLimit("7 days, Sonnet", body.seven_day_sonnet),
      ].flat(),
    }),
  },
  "openai-codex": {
    url: "https://chatgpt.com/backend-api/wham/usage",
    headers: ({ access, headers }) => ({ ...headers, authorization: `Bearer ${access}` }),
    read: (body) => {
      const windows = asObject(body.rate_limit);
      return {
        ...planOf(body.plan_type),
        limits: [codexLimit(windows?.primary_window), codexLimit(windows?.secondary_window)].flat(),
      };
    },
  },
  "github-copilot": {
    url: "https://api.{domain}/copilot_internal/user",
    // What GitHub gave, not what Copilot gave for it.
    headers: ({ refresh = "" }) => ({ authorization: `token ${refresh}` }),
    read: (body) => {
      const quotas = asObject(body.quota_snapshots);
      const resetsAt = timeOf(body.quota_reset_date);
      return {
        ...planOf(body.copilot_plan),
        limits: [
          copilotLimit("premium requests", quotas?.premium_interactions, resetsAt),
          copilotLimit("chat", quotas?.chat, resetsAt),
        ].flat(),
      };
    },
  },
};

export function hasUsageReport(provider: string): boolean {
  return provider in SOURCES;
}

/** Throws `OAuthError`. `url` stands in for the vendor's, for tests. */
export async function fetchUsageReport(
  provider: string,
  tokens: OAuthTokens,
  context: OAuthContext,
  url?: string,
): Promise<UsageReport> {
  const source = SOURCES[provider];
  if (!source) throw new TypeError(`${provider} has no usage report`);
  const address = url ?? source.url.replace("{domain}", tokens.extra?.domain ?? "github.com");
  const reply = await requestVendor(
    address,
    { method: "GET", headers: source.headers(tokens) },
    context,
  );
  if (!reply.ok || !reply.body) {
    const secrets = [tokens.access, tokens.refresh ?? ""];
    throw failureOf("the vendor returned no usage report", reply, secrets);
  }
  return source.read(reply.body);
}

function anthropicLimit(name: string, value: unknown): UsageLimit[] {
  const window = asObject(value);
  return limitOf(name, asNumber(window?.utilization), timeOf(window?.resets_at));
}

function codexLimit(value: unknown): UsageLimit[] {
  const window = asObject(value);
  const seconds = asNumber(window?.limit_window_seconds);
  const reset = asNumber(window?.reset_at);
  const name = seconds === undefined ? "limit" : lengthInWords(seconds);
  const resetsAt = reset === undefined ? undefined : reset * MS_PER_S;
  return limitOf(name, asNumber(window?.used_percent), resetsAt);
}

function copilotLimit(name: string, value: unknown, resetsAt: number | undefined): UsageLimit[] {
  const quota = asObject(value);
  const remaining = asNumber(quota?.percent_remaining);
  if (quota?.unlimited === true || remaining === undefined) return [];
  return limitOf(name, 100 - remaining, resetsAt);
}

function limitOf(
  name: string,
  used: number | undefined,
  resetsAt: number | undefined,
): UsageLimit[] {
  if (used === undefined) return [];
  const usedPercent = Math.round(Math.max(0, Math.min(100, used)));
  return [{ name, usedPercent, resetsAt }];
}

function lengthInWords(seconds: number): string {
  const hours = Math.round(seconds / S_PER_HOUR);
  const days = hours / HOURS_PER_DAY;
  if (days >= 1 && Number.isInteger(days)) return days === 1 ? "1 day" : `${days} days`;
  return hours === 1 ? "1 hour" : `${hours} hours`;
}

function planOf(value: unknown): { plan?: string } {
  const plan = asString(value);
  return plan ? { plan: plainWords(plan) } : {};
}

function timeOf(value: unknown): number | undefined {
  const time = Date.parse(asString(value) ?? "");
  return Number.isNaN(time) ? undefined : time;
}
