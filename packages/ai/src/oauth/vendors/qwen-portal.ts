// Qwen accounts, by a device code with a proof key. The reply names the endpoint.

import { asString, type Json } from "../../wires/json.ts";
import { authorizeDevice } from "../device-code.ts";
import type { OAuthContext, OAuthTokens } from "../oauth.ts";
import { requestRefresh, tokensFrom } from "../token-endpoint.ts";
import type { Vendor } from "../vendor.ts";

/** Public, of the vendor's own command-line tool. */
const CLIENT_ID = "f0304373b74a44d2b584a3fb70ca9e56";
const SCOPE = "openid profile email model.completion";

export const qwenPortal: Vendor<"device" | "token"> = {
  endpoints: {
    device: "https://chat.qwen.ai/api/v1/oauth2/device/code",
    token: "https://chat.qwen.ai/api/v1/oauth2/token",
  },

  async login(driver, context) {
    const reply = await authorizeDevice(
      {
        deviceUrl: context.endpoints.device,
        token: { url: context.endpoints.token },
        clientId: CLIENT_ID,
        scope: SCOPE,
        pkce: true,
      },
      driver,
      context,
    );
    return { kind: "oauth", tokens: withEndpoint(reply, context) };
  },

  async refresh(tokens, context) {
    const client = { url: context.endpoints.token, clientId: CLIENT_ID };
    return withEndpoint(await requestRefresh(client, tokens, context), context);
  },
};

function withEndpoint(reply: Json, context: OAuthContext): OAuthTokens {
  const baseUrl = baseUrlOf(asString(reply.resource_url));
  return { ...tokensFrom(reply, context), ...(baseUrl ? { baseUrl } : {}) };
}

/** Told as a host, or as an address with or without the version. */
function baseUrlOf(resource: string | undefined): string | undefined {
  if (!resource) return undefined;
  const url = /^https?:\/\//.test(resource) ? resource : `https://${resource}`;
  if (!URL.canParse(url)) return undefined;
  const trimmed = url.replace(/\/+$/, "");
  return trimmed.endsWith("/v1") ? trimmed : `${trimmed}/v1`;
}
