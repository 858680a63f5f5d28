// SuperGrok and X Premium+ plans, by a device code.

import { asString, type Json } from "../../wires/json.ts";
import { claimsOf } from "../jwt-claims.ts";
import type { OAuthContext, OAuthTokens } from "../oauth.ts";
import { tokensFrom } from "../token-endpoint.ts";
import { deviceVendor } from "./device-vendor.ts";

/** Public, of the vendor's own command-line tool. */
const CLIENT_ID = "b1a00492-073a-47ea-816f-4c329264a828";
const SCOPE = "openid profile email offline_access grok-cli:access api:access";

export const xai = deviceVendor({
  endpoints: {
    device: "https://auth.x.ai/oauth2/device/code",
    token: "https://auth.x.ai/oauth2/token",
  },
  clientId: CLIENT_ID,
  scope: SCOPE,
  tokens: withAccount,
});

function withAccount(reply: Json, context: OAuthContext): OAuthTokens {
  const account = asString(claimsOf(asString(reply.id_token))?.email);
  return { ...tokensFrom(reply, context), account };
}
