// GitHub Copilot: a device code at GitHub (or at a company's own), and GitHub's token is
// exchanged for one of Copilot's that lives for half an hour and names its endpoint.

import { asNumber, asObject, asString } from "../../wires/json.ts";
import { authorizeDevice } from "../device-code.ts";
import { CannotAsk, OAuthError, type LoginDriver, type OAuthTokens } from "../oauth.ts";
import { profileOf } from "../profile.ts";
import type { Vendor, VendorContext } from "../vendor.ts";
import { failureOf, requestVendor } from "../vendor-request.ts";

/** Public, of the vendor's own editor extension. */
const CLIENT_ID = "Iv1.b507a08c87ecfe98";
const SCOPE = "read:user";
const GITHUB = "github.com";
/** Copilot refuses whoever does not say which editor asks, through which integration. */
const EDITOR_HEADERS = { "editor-version": "Tau/1.0", "copilot-integration-id": "vscode-chat" };
const MS_PER_S = 1000;

type Endpoint = "device" | "token" | "exchange" | "user" | "api";

export const githubCopilot: Vendor<Endpoint> = {
  // `{domain}` is github.com or a company's own.
  endpoints: {
    device: "https://{domain}/login/device/code",
    token: "https://{domain}/login/oauth/access_token",
    exchange: "https://api.{domain}/copilot_internal/v2/token",
    user: "https://api.{domain}/user",
    api: "https://copilot-api.{domain}",
  },

  async login(driver, context) {
    const domain = await askForDomain(driver, context.signal);
    const reply = await authorizeDevice(
      {
        deviceUrl: at(context.endpoints.device, domain),
        token: { url: at(context.endpoints.token, domain) },
        clientId: CLIENT_ID,
        scope: SCOPE,
      },
      driver,
      context,
    );
    const github = asString(reply.access_token)!;
    driver.progress("Asking for access to Copilot …");
    const profile = await profileOf(at(context.endpoints.user, domain), github, context);
    const account = asString(profile.login);
    const tokens = await exchange(github, domain, context);
    return { kind: "oauth", tokens: { ...tokens, account } };
  },

  async refresh(tokens, context) {
    if (tokens.refresh === undefined) {
      throw new OAuthError("GitHub's token is missing", { definitive: true });
    }
    return exchange(tokens.refresh, tokens.extra?.domain ?? GITHUB, context);
  },
};

/** GitHub's own token does not expire, so it is what Copilot's is renewed with. */
async function exchange(
  github: string,
  domain: string,
  context: VendorContext<Endpoint>,
): Promise<OAuthTokens> {
  const reply = await requestVendor(
    at(context.endpoints.exchange, domain),
    { method: "GET", headers: { ...EDITOR_HEADERS, authorization: `Bearer ${github}` } },
    context,
  );
  const access = asString(reply.body?.token);
  if (!reply.ok || !access) {
    throw failureOf("GitHub did not grant access to Copilot", reply, [github]);
  }
  const expires = asNumber(reply.body?.expires_at);
  const baseUrl = endpointOf(access, asObject(reply.body?.endpoints)?.api, domain, context);
  return {
    access,
    refresh: github,
    expiresAt: expires === undefined ? undefined : expires * MS_PER_S,
    baseUrl,
    headers: EDITOR_HEADERS,
    extra: { domain },
  };
}

/** As the reply says; else as the token's text says; else by the company's domain. */
function endpointOf(
  access: string,
  told: unknown,
  domain: string,
  context: VendorContext<Endpoint>,
): string | undefined {
  if (typeof told === "string" && URL.canParse(told)) return told.replace(/\/$/, "");
  const proxy = /(?:^|;)proxy-ep=proxy\.([a-z0-9.-]+)/.exec(access)?.[1];
  if (proxy) return `https://api.${proxy}`;
  return domain === GITHUB ? undefined : at(context.endpoints.api, domain);
}

async function askForDomain(driver: LoginDriver, signal: AbortSignal): Promise<string> {
  const question = "GitHub Enterprise domain (just Enter for github.com):";
  for (;;) {
    const answer = await askOrNothing(driver, question, signal);
    const domain = domainOf(answer);
    if (domain !== undefined) return domain;
    driver.progress("That is not a domain; a domain looks like company.ghe.com.");
  }
}

async function askOrNothing(
  driver: LoginDriver,
  question: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    return await driver.ask(question, { secret: false, signal });
  } catch (error) {
    if (error instanceof CannotAsk) return "";
    throw error;
  }
}

function domainOf(answer: string): string | undefined {
  const text = answer.trim();
  if (text === "") return GITHUB;
  const url = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  return hostname.includes(".") ? hostname : undefined;
}

function at(endpoint: string, domain: string): string {
  return endpoint.replace("{domain}", domain);
}
