// ChatGPT plans, for the Codex endpoint: in the browser of this machine, or by a code that
// is typed in any other. Both give the same tokens, so both are renewed alike.

import { asNumber, asObject, asString, type Json } from "../../wires/json.ts";
import { authorizeWithCode } from "../authorization-code.ts";
import { claimsOf } from "../jwt-claims.ts";
import { OAuthError, type OAuthContext, type OAuthTokens } from "../oauth.ts";
import { requestRefresh, requestToken, tokensFrom } from "../token-endpoint.ts";
import type { Vendor, VendorContext } from "../vendor.ts";
import { failureOf, requestVendor } from "../vendor-request.ts";
import { wait } from "../wait.ts";

/** Public, of the vendor's own command-line tool. */
const CLIENT_ID = "app_EMoamEEZ73f0CkXaXp7hrann";
const SCOPE = "openid profile email offline_access";
const CLAIMS = "https://api.openai.com/auth";
const ACCOUNT_HEADER = "chatgpt-account-id";

/** How long the vendor keeps a device code; it does not say so in its reply. */
const DEVICE_LIFETIME_MS = 15 * 60_000;
const DEFAULT_INTERVAL_S = 5;
const MS_PER_S = 1000;
/** Not RFC 8628: these say that the code has not been typed yet. */
const NOT_YET: ReadonlySet<number> = new Set([403, 404]);

export const codexInBrowser: Vendor<"authorize" | "token"> = {
  endpoints: {
    authorize: "https://auth.openai.com/oauth/authorize",
    token: "https://auth.openai.com/oauth/token",
  },
  // Both are registered; the second is for when the first is taken.
  ports: [1455, 1457],

  async login(driver, context) {
    const reply = await authorizeWithCode(
      {
        authorizeUrl: context.endpoints.authorize,
        token: { url: context.endpoints.token },
        clientId: CLIENT_ID,
        scope: SCOPE,
        loopback: { host: "localhost", ports: context.ports, path: "/auth/callback" },
        parameters: {
          id_token_add_organizations: "true",
          codex_cli_simplified_flow: "true",
          originator: "tau",
        },
      },
      driver,
      context,
    );
    return { kind: "oauth", tokens: withAccount(reply, context) };
  },

  refresh,
};

export const codexByDevice: Vendor<"token" | "userCode" | "poll" | "page" | "redirect"> = {
  endpoints: {
    token: "https://auth.openai.com/oauth/token",
    userCode: "https://auth.openai.com/api/accounts/deviceauth/usercode",
    poll: "https://auth.openai.com/api/accounts/deviceauth/token",
    page: "https://auth.openai.com/codex/device",
    redirect: "https://auth.openai.com/deviceauth/callback",
  },

  async login(driver, context) {
    const device = await requestUserCode(context);
    driver.showCode(device.userCode, context.endpoints.page);
    driver.progress("Waiting for you to confirm it there …");
    const granted = await pollForCode(device, context);
    // The proof key is the vendor's, and there was no redirect to check.
    const reply = await requestToken(
      { url: context.endpoints.token, clientId: CLIENT_ID },
      "authorization_code",
      {
        code: granted.code,
        code_verifier: granted.verifier,
        redirect_uri: context.endpoints.redirect,
      },
      context,
    );
    return { kind: "oauth", tokens: withAccount(reply, context) };
  },

  refresh,
};

async function refresh(tokens: OAuthTokens, context: VendorContext<"token">): Promise<OAuthTokens> {
  const client = { url: context.endpoints.token, clientId: CLIENT_ID };
  return withAccount(await requestRefresh(client, tokens, context), context);
}

interface Device {
  id: string;
  userCode: string;
  intervalS: number;
}

async function requestUserCode(context: VendorContext<"userCode">): Promise<Device> {
  const reply = await requestVendor(
    context.endpoints.userCode,
    { method: "POST", json: { client_id: CLIENT_ID } },
    context,
  );
  const body = reply.body ?? {};
  const id = asString(body.device_auth_id);
  const userCode = asString(body.user_code) ?? asString(body.usercode);
  if (!reply.ok || !id || !userCode) {
    throw failureOf("the vendor returned no login code", reply, []);
  }
  // It is sent as text.
  const interval = asNumber(Number(body.interval)) || DEFAULT_INTERVAL_S;
  return { id, userCode, intervalS: interval };
}

async function pollForCode(
  device: Device,
  context: VendorContext<"poll">,
): Promise<{ code: string; verifier: string }> {
  const deadline = context.now() + DEVICE_LIFETIME_MS;
  while (context.now() < deadline) {
    await wait(device.intervalS * MS_PER_S, context);
    const reply = await requestVendor(
      context.endpoints.poll,
      { method: "POST", json: { device_auth_id: device.id, user_code: device.userCode } },
      context,
    );
    const code = asString(reply.body?.authorization_code);
    const verifier = asString(reply.body?.code_verifier);
    if (reply.ok && code && verifier) return { code, verifier };
    if (!NOT_YET.has(reply.status)) {
      throw failureOf("the vendor returned no code", reply, [device.id, device.userCode]);
    }
  }
  throw new OAuthError("the code expired before it was confirmed; start again", {
    code: "expired_token",
    definitive: true,
  });
}

/** The account that pays is named in the tokens' claims and must be sent along. */
function withAccount(reply: Json, context: OAuthContext): OAuthTokens {
  const tokens = tokensFrom(reply, context);
  const identity = claimsOf(asString(reply.id_token));
  const claims = asObject(identity?.[CLAIMS]) ?? asObject(claimsOf(tokens.access)?.[CLAIMS]);
  const id = asString(claims?.chatgpt_account_id);
  const account = asString(identity?.email);
  return { ...tokens, account, headers: id ? { [ACCOUNT_HEADER]: id } : undefined };
}
