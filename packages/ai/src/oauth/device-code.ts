// The device flow (RFC 8628): a short code that the user types at the vendor's page, on
// any machine, while we ask the vendor now and then whether it has been done.

import {
  calculatePKCECodeChallenge,
  deviceAuthorizationRequest,
  generateRandomCodeVerifier,
  processDeviceAuthorizationResponse,
  type DeviceAuthorizationResponse,
} from "oauth4webapi";
import type { Json } from "../wires/json.ts";
import { OAuthError, type LoginDriver, type OAuthContext } from "./oauth.ts";
import { callVendor, type StandardClient, type TokenEndpoint } from "./standard-call.ts";
import { straightDevice } from "./standard-reply.ts";
import { requestToken } from "./token-endpoint.ts";
import { wait } from "./wait.ts";

const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code";
/** What the standard says where a vendor says nothing. */
const DEFAULT_INTERVAL_S = 5;
/** What the standard adds each time a vendor says `slow_down`. */
const SLOW_DOWN_S = 5;
/** Where a vendor does not say how long its code lives, and never longer than this. */
const MAX_LIFETIME_S = 30 * 60;
const MS_PER_S = 1000;
/** What vendors call a moment of weakness. */
const PASSING_CODES: ReadonlySet<string | undefined> = new Set([
  undefined,
  "server_error",
  "temporarily_unavailable",
]);

export interface DeviceCodeClient {
  deviceUrl: string;
  token: TokenEndpoint;
  clientId: string;
  scope?: string;
  /** Whether the vendor wants a proof key here too. */
  pkce?: boolean;
}

/** The token endpoint's reply. */
export async function authorizeDevice(
  { deviceUrl, token, clientId, scope, pkce }: DeviceCodeClient,
  driver: LoginDriver,
  context: OAuthContext,
): Promise<Json> {
  const vendor = { ...token, deviceUrl, clientId };
  const verifier = pkce ? generateRandomCodeVerifier() : undefined;
  const asked = new URLSearchParams();
  if (scope !== undefined) asked.set("scope", scope);
  if (verifier !== undefined) {
    asked.set("code_challenge", await calculatePKCECodeChallenge(verifier));
    asked.set("code_challenge_method", "S256");
  }
  const device = await requestCode(vendor, asked, context);
  driver.showCode(device.user_code, device.verification_uri_complete ?? device.verification_uri);
  driver.progress("Waiting for you to confirm it there …");
  return poll(vendor, device, verifier, context);
}

async function requestCode(
  vendor: StandardClient,
  asked: URLSearchParams,
  context: OAuthContext,
): Promise<DeviceAuthorizationResponse> {
  return callVendor(
    vendor,
    async (server, client, authentication, options) =>
      processDeviceAuthorizationResponse(
        server,
        client,
        await deviceAuthorizationRequest(server, client, authentication, asked, options),
      ),
    context,
    {
      failure: "the vendor returned no login code",
      straighten: (body) => straightDevice(body, MAX_LIFETIME_S),
    },
  );
}

async function poll(
  vendor: StandardClient,
  device: DeviceAuthorizationResponse,
  verifier: string | undefined,
  context: OAuthContext,
): Promise<Json> {
  const lifetimeS = Math.min(MAX_LIFETIME_S, device.expires_in);
  const deadline = context.now() + lifetimeS * MS_PER_S;
  const parameters: Record<string, string> = { device_code: device.device_code };
  if (verifier !== undefined) parameters.code_verifier = verifier;
  let intervalS = device.interval ?? DEFAULT_INTERVAL_S;
  for (;;) {
    await wait(intervalS * MS_PER_S, context);
    if (context.now() >= deadline) throw expired();
    try {
      return await requestToken(vendor, GRANT_TYPE, parameters, context);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      if (error.code === "expired_token") throw expired();
      if (error.code === "access_denied") {
        throw new OAuthError("the login was refused at the vendor's page", {
          code: error.code,
          definitive: true,
        });
      }
      const isWaiting = error.code === "authorization_pending" || error.code === "slow_down";
      // A network that fails for a moment is no reason to lose a code that was just typed.
      const mayPass = !error.definitive && PASSING_CODES.has(error.code);
      if (!isWaiting && !mayPass) throw error;
      if (error.code === "slow_down" || mayPass) intervalS += SLOW_DOWN_S;
    }
  }
}

function expired(): OAuthError {
  return new OAuthError("the code expired before it was confirmed; start again", {
    code: "expired_token",
    definitive: true,
  });
}
