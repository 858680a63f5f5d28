// SuperGrok and X Premium+ plans, by a device code.

import { asString, type Json } from "../../wires/json.ts";
import { authorizeDevice } from "../device-code.ts";
import { claimsOf } from "../jwt-claims.ts";
import type { OAuthContext, OAuthTokens } from "../oauth.ts";
import { requestRefresh, tokensFrom } from "../token-endpoint.ts";
import type { Vendor } from "../vendor.ts";

/** Public, of the vendor's own command-line tool. */
const CLIENT_ID = "b1a00492-073a-47ea-816f-4c329264a828";
const SCOPE = "openid profile email offline_access grok-cli:access api:access";

export const xai: Vendor<"device" | "token"> = {
  endpoints: {
    device: "https://auth.x.ai/oauth2/device/code",
    token: "https://auth.x.ai/oauth2/token",
  },

  async login(driver, context) {
    const reply = await authorizeDevice(
      {
        deviceUrl: context.endpoints.device,
        token: { url: context.endpoints.token },
        clientId: CLIENT_ID,
        scope: SCOPE,
      },
      driver,
      context,
    );
    return { kind: "oauth", tokens: withAccount(reply, context) };
  },

  async refresh(tokens, context) {
    const client = { url: context.endpoints.token, clientId: CLIENT_ID };
    return withAccount(await requestRefresh(client, tokens, context), context);
  },
};

function withAccount(reply: Json, context: OAuthContext): OAuthTokens {
  const account = asString(claimsOf(asString(reply.id_token))?.email);
  return { ...tokensFrom(reply, context), ...(account ? { account } : {}) };
}
