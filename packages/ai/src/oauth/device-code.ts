// The device flow (RFC 8628): a short code that the user types at the vendor's page, on
// any machine, while we ask the vendor now and then whether it has been done.

import { asNumber, asString, type Json } from "../wires/json.ts";
import { OAuthError, type LoginDriver, type OAuthContext } from "./oauth.ts";
import { createPkce, type Pkce } from "./pkce.ts";
import { requestToken, type TokenEndpoint } from "./token-endpoint.ts";
import { failureOf, requestVendor } from "./vendor-request.ts";
import { wait } from "./wait.ts";

const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code";
/** What the standard says where a vendor says nothing. */
const DEFAULT_INTERVAL_S = 5;
/** Whatever a vendor says: faster would be hammering. */
const MIN_INTERVAL_S = 1;
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

interface DeviceCode {
  deviceCode: string;
  userCode: string;
  verificationUri: string;
  intervalS: number;
  lifetimeS: number;
}

/** The token endpoint's reply. */
export async function authorizeDevice(
  client: DeviceCodeClient,
  driver: LoginDriver,
  context: OAuthContext,
): Promise<Json> {
  const pkce = client.pkce ? await createPkce() : undefined;
  const device = await requestCode(client, pkce, context);
  driver.showCode(device.userCode, device.verificationUri);
  driver.progress("Waiting for you to confirm it there …");
  return poll(client, device, pkce, context);
}

async function requestCode(
  client: DeviceCodeClient,
  pkce: Pkce | undefined,
  context: OAuthContext,
): Promise<DeviceCode> {
  const reply = await requestVendor(
    client.deviceUrl,
    {
      method: "POST",
      ...(client.token.headers ? { headers: client.token.headers } : {}),
      form: {
        client_id: client.clientId,
        ...(client.scope === undefined ? {} : { scope: client.scope }),
        ...(pkce ? { code_challenge: pkce.challenge, code_challenge_method: "S256" } : {}),
      },
    },
    context,
  );
  const body = reply.body ?? {};
  const deviceCode = asString(body.device_code);
  const userCode = asString(body.user_code);
  const verificationUri =
    asString(body.verification_uri_complete) ??
    asString(body.verification_uri) ??
    asString(body.verification_url);
  if (!reply.ok || !deviceCode || !userCode || !verificationUri) {
    throw failureOf("the vendor returned no login code", reply, []);
  }
  return {
    deviceCode,
    userCode,
    verificationUri,
    intervalS: Math.max(MIN_INTERVAL_S, asNumber(body.interval) ?? DEFAULT_INTERVAL_S),
    lifetimeS: Math.min(MAX_LIFETIME_S, asNumber(body.expires_in) ?? MAX_LIFETIME_S),
  };
}

async function poll(
  client: DeviceCodeClient,
  device: DeviceCode,
  pkce: Pkce | undefined,
  context: OAuthContext,
): Promise<Json> {
  const deadline = context.now() + device.lifetimeS * MS_PER_S;
  let intervalS = device.intervalS;
  for (;;) {
    await wait(intervalS * MS_PER_S, context);
    if (context.now() >= deadline) throw expired();
    try {
      return await requestToken(
        client.token,
        {
          grant_type: GRANT_TYPE,
          client_id: client.clientId,
          device_code: device.deviceCode,
          ...(pkce ? { code_verifier: pkce.verifier } : {}),
        },
        context,
      );
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
