// Qwen accounts, by a device code with a proof key. The reply names the endpoint.

import { asString, type Json } from "../../wires/json.ts";
import type { OAuthContext, OAuthTokens } from "../oauth.ts";
import { tokensFrom } from "../token-endpoint.ts";
import { deviceVendor } from "./device-vendor.ts";

/** Public, of the vendor's own command-line tool. */
const CLIENT_ID = "f0304373b74a44d2b584a3fb70ca9e56";
const SCOPE = "openid profile email model.completion";

export const qwenPortal = deviceVendor({
  endpoints: {
    device: "https://chat.qwen.ai/api/v1/oauth2/device/code",
    token: "https://chat.qwen.ai/api/v1/oauth2/token",
  },
  clientId: CLIENT_ID,
  scope: SCOPE,
  pkce: true,
  tokens: withEndpoint,
});

function withEndpoint(reply: Json, context: OAuthContext): OAuthTokens {
  const baseUrl = baseUrlOf(asString(reply.resource_url));
  return { ...tokensFrom(reply, context), baseUrl };
}

/** Told as a host, or as an address with or without the version. */
function baseUrlOf(resource: string | undefined): string | undefined {
  if (!resource) return undefined;
  const url = /^https?:\/\//.test(resource) ? resource : `https://${resource}`;
  if (!URL.canParse(url)) return undefined;
  const trimmed = url.replace(/\/+$/, "");
  return trimmed.endsWith("/v1") ? trimmed : `${trimmed}/v1`;
}
