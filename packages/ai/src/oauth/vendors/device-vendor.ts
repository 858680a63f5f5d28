// A vendor whose login is a device code and nothing more; what differs is what its replies
// tell besides the tokens.

import type { Json } from "../../wires/json.ts";
import { authorizeDevice } from "../device-code.ts";
import type { OAuthContext, OAuthTokens } from "../oauth.ts";
import { requestRefresh } from "../token-endpoint.ts";
import type { Vendor } from "../vendor.ts";

export interface DeviceVendorRow {
  endpoints: { device: string; token: string };
  clientId: string;
  scope: string;
  /** With a proof key. */
  pkce?: boolean;
  tokens: (reply: Json, context: OAuthContext) => OAuthTokens;
}

export function deviceVendor(row: DeviceVendorRow): Vendor<"device" | "token"> {
  const { endpoints, clientId, scope, pkce, tokens: read } = row;
  return {
    endpoints,
    async login(driver, context) {
      const { device, token } = context.endpoints;
      const flow = { deviceUrl: device, token: { url: token }, clientId, scope, pkce };
      const reply = await authorizeDevice(flow, driver, context);
      return { kind: "oauth", tokens: read(reply, context) };
    },
    async refresh(tokens, context) {
      const client = { url: context.endpoints.token, clientId };
      return read(await requestRefresh(client, tokens, context), context);
    },
  };
}
