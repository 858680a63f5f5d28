// Kimi's coding plan, by a device code.

import { firstSet } from "../../environment.ts";
import { authorizeDevice } from "../device-code.ts";
import { requestRefresh, tokensFrom } from "../token-endpoint.ts";
import type { Vendor, VendorContext } from "../vendor.ts";

/** Public, of the vendor's own command-line tool. */
const CLIENT_ID = "17e5f671-d194-4dfb-9706-5516cb48c098";
const HOST_VARIABLES = ["KIMI_CODE_OAUTH_HOST", "KIMI_OAUTH_HOST"];

export const kimiCode: Vendor<"host"> = {
  endpoints: { host: "https://auth.kimi.com" },

  async login(driver, context) {
    const deviceId = crypto.randomUUID().replaceAll("-", "");
    const headers = deviceHeaders(deviceId);
    const reply = await authorizeDevice(
      {
        deviceUrl: `${hostOf(context)}/api/oauth/device_authorization`,
        token: { url: tokenUrl(context), headers },
        clientId: CLIENT_ID,
      },
      driver,
      context,
    );
    const tokens = tokensFrom(reply, context);
    return { kind: "oauth", tokens: { ...tokens, headers, extra: { deviceId } } };
  },

  async refresh(tokens, context) {
    const deviceId = tokens.extra?.deviceId ?? "";
    const client = {
      url: tokenUrl(context),
      clientId: CLIENT_ID,
      headers: deviceHeaders(deviceId),
    };
    return tokensFrom(await requestRefresh(client, tokens, context), context);
  },
};

/** The vendor ties a login to a device; ours is a random word, not the machine's name. */
function deviceHeaders(deviceId: string): Record<string, string> {
  return {
    "x-msh-platform": "kimi_cli",
    "x-msh-version": "1.0",
    "x-msh-device-name": "tau",
    "x-msh-device-model": "tau",
    "x-msh-os-version": "unknown",
    "x-msh-device-id": deviceId,
  };
}

function hostOf({ env, endpoints }: VendorContext<"host">): string {
  return (firstSet(HOST_VARIABLES, env) ?? endpoints.host).replace(/\/+$/, "");
}

function tokenUrl(context: VendorContext<"host">): string {
  return `${hostOf(context)}/api/oauth/token`;
}
