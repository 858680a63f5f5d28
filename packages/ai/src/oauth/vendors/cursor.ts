// Cursor plans, in a browser: the page is given the hash of a secret, and whoever has the secret may
// fetch the tokens once somebody has logged in there. There is no redirect to listen for.

import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from "oauth4webapi";
import { firstSet } from "../../environment.ts";
import { asNumber, asString, type Json } from "../../wires/json.ts";
import { claimsOf } from "../jwt-claims.ts";
import { OAuthError, type OAuthTokens } from "../oauth.ts";
import { failureOf, requestVendor, type VendorReply } from "../vendor-request.ts";
import type { Vendor, VendorContext } from "../vendor.ts";
import { wait } from "../wait.ts";

/** Whoever moves the service moves its login too: both are the same host. */
const CURSOR_BASE_URL = ["CURSOR_BASE_URL"];
const MS_PER_S = 1000;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 10_000;
const WAIT_GROWTH = 1.2;
/** As long as people take to log in somewhere, with a second factor that they have to look for. */
const PATIENCE_MS = 15 * 60_000;
/** Nobody has logged in at the page yet. */
const NOT_YET = 404;
/** In a row; a network that is gone for a moment does not end a login. */
const MAX_LOST_POLLS = 3;

type Endpoint = "page" | "api";

export const cursor: Vendor<Endpoint> = {
  endpoints: { page: "https://cursor.com/loginDeepControl", api: "https://api2.cursor.sh" },

  async login(driver, context) {
    const verifier = generateRandomCodeVerifier();
    const uuid = crypto.randomUUID();
    const page = new URL(context.endpoints.page);
    page.searchParams.set("challenge", await calculatePKCECodeChallenge(verifier));
    page.searchParams.set("uuid", uuid);
    page.searchParams.set("mode", "login");
    page.searchParams.set("redirectTarget", "cli");
    driver.open(page.href, "Log in to Cursor in your browser.");
    driver.progress("Waiting for you to log in there …");
    return { kind: "oauth", tokens: tokensOf(await pollForTokens(uuid, verifier, context)) };
  },

  async refresh(tokens, context) {
    const refresh = tokens.refresh ?? "";
    const headers = { authorization: `Bearer ${refresh}` };
    const url = `${apiOf(context)}/auth/exchange_user_api_key`;
    const reply = await requestVendor(url, { method: "POST", headers, json: {} }, context);
    if (!reply.ok) throw failureOf("Cursor did not renew the login", reply, [refresh]);
    return tokensOf(reply);
  },
};

async function pollForTokens(
  uuid: string,
  verifier: string,
  context: VendorContext<Endpoint>,
): Promise<VendorReply> {
  const query = new URLSearchParams({ uuid, verifier });
  const deadline = context.now() + PATIENCE_MS;
  let pause = FIRST_WAIT_MS;
  let lost = 0;
  while (context.now() < deadline) {
    await wait(pause, context);
    pause = Math.min(pause * WAIT_GROWTH, LONGEST_WAIT_MS);
    const reply = await poll(`${apiOf(context)}/auth/poll?${query.toString()}`, context);
    if (reply instanceof OAuthError) {
      if (++lost >= MAX_LOST_POLLS) throw reply;
      continue;
    }
    lost = 0;
    if (reply.ok) return reply;
    if (reply.status !== NOT_YET) {
      throw failureOf("Cursor gave no tokens", reply, [uuid, verifier]);
    }
  }
  throw new OAuthError("nobody logged in at Cursor's page in time; start again", {
    code: "expired_token",
    definitive: true,
  });
}

/** A server that cannot be reached or is busy, as a value: the next poll may find it. */
async function poll(
  url: string,
  context: VendorContext<Endpoint>,
): Promise<VendorReply | OAuthError> {
  try {
    const reply = await requestVendor(url, { method: "GET" }, context);
    return reply.status >= 500 ? failureOf("Cursor gave no tokens", reply, []) : reply;
  } catch (error) {
    if (error instanceof OAuthError && !error.definitive) return error;
    throw error;
  }
}

/** When it ends, and whose it is, stands in the token. */
function tokensOf(reply: VendorReply): OAuthTokens {
  const body: Json = reply.body ?? {};
  const access = asString(body.accessToken);
  if (!access) throw failureOf("Cursor's reply has no token", reply, []);
  const claims = claimsOf(access);
  const ends = asNumber(claims?.exp);
  return {
    access,
    refresh: asString(body.refreshToken) || undefined,
    expiresAt: ends === undefined ? undefined : ends * MS_PER_S,
    account: asString(claims?.email) ?? asString(claims?.sub)?.split("|").at(-1),
  };
}

function apiOf({ env, endpoints }: VendorContext<Endpoint>): string {
  return (firstSet(CURSOR_BASE_URL, env) ?? endpoints.api).replace(/\/+$/, "");
}
