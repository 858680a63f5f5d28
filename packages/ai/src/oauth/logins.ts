// Where one can log in. The list is cheap; a vendor's flow is loaded when it is used. Keys
// can be pasted for every other provider that takes one.

import type { ProviderRow } from "../provider-row.ts";
import { findProvider, PROVIDERS } from "../providers.ts";
import { keyLogin } from "./key-login.ts";
import type { LoginRow } from "./oauth.ts";
import { createLoginRow, type LoginName, type Vendor, type VendorOverrides } from "./vendor.ts";

export interface LoginEntry extends LoginName {
  /** A login at the vendor's page, or a key that is pasted. */
  kind: "login" | "key";
}

interface VendorEntry extends LoginName {
  load: () => Promise<Vendor>;
}

const VENDORS: readonly VendorEntry[] = [
  {
    id: "anthropic",
    name: "Anthropic (Claude Pro/Max)",
    provider: "anthropic",
    load: async () => (await import("./vendors/anthropic.ts")).anthropic,
  },
  {
    id: "openai-codex",
    name: "OpenAI (ChatGPT Plus/Pro)",
    provider: "openai-codex",
    load: async () => (await import("./vendors/openai-codex.ts")).codexInBrowser,
  },
  {
    id: "openai-codex-device",
    name: "OpenAI (ChatGPT Plus/Pro), with a code on another device",
    provider: "openai-codex",
    load: async () => (await import("./vendors/openai-codex.ts")).codexByDevice,
  },
  {
    id: "github-copilot",
    name: "GitHub Copilot",
    provider: "github-copilot",
    load: async () => (await import("./vendors/github-copilot.ts")).githubCopilot,
  },
  {
    id: "google-gemini-cli",
    name: "Google (Gemini CLI)",
    provider: "google-gemini-cli",
    load: async () => (await import("./vendors/google.ts")).geminiCli,
  },
  {
    id: "google-antigravity",
    name: "Google (Antigravity)",
    provider: "google-antigravity",
    load: async () => (await import("./vendors/google.ts")).antigravity,
  },
  {
    id: "kimi-code",
    name: "Kimi Code",
    provider: "kimi-code",
    load: async () => (await import("./vendors/kimi-code.ts")).kimiCode,
  },
  {
    id: "cursor",
    name: "Cursor",
    provider: "cursor",
    load: async () => (await import("./vendors/cursor.ts")).cursor,
  },
  {
    id: "qwen-portal",
    name: "Qwen",
    provider: "qwen-portal",
    load: async () => (await import("./vendors/qwen-portal.ts")).qwenPortal,
  },
  {
    id: "xai-oauth",
    name: "xAI (SuperGrok)",
    provider: "xai-oauth",
    load: async () => (await import("./vendors/xai.ts")).xai,
  },
  {
    id: "gitlab-duo",
    name: "GitLab Duo",
    provider: "gitlab-duo",
    load: async () => (await import("./vendors/gitlab-duo.ts")).gitlabDuo,
  },
];

/** In the order in which they are offered. */
export const LOGINS: readonly LoginEntry[] = [
  ...VENDORS.map(({ id, name, provider }) => ({ id, name, provider, kind: "login" as const })),
  ...PROVIDERS.filter(takesOnlyKeys).map(({ id, name }) => ({
    id,
    name,
    provider: id,
    kind: "key" as const,
  })),
];

/** `overrides` move a vendor's endpoints, for tests. */
export async function loadLogin(
  id: string,
  overrides?: VendorOverrides,
): Promise<LoginRow | undefined> {
  const vendor = VENDORS.find((entry) => entry.id === id);
  if (vendor) return createLoginRow(vendor, await vendor.load(), overrides);
  const row = findProvider(id);
  return row && takesOnlyKeys(row) ? keyLogin(row) : undefined;
}

function takesOnlyKeys(row: ProviderRow): boolean {
  return row.keyEnv.length > 0 && !VENDORS.some((entry) => entry.id === row.id);
}
