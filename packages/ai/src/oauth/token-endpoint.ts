// A vendor's tokens: what its token endpoint gives, and how they are renewed.

import { genericTokenEndpointRequest, processGenericTokenEndpointResponse } from "oauth4webapi";
import { asNumber, asString, type Json } from "../wires/json.ts";
import { claimsOf } from "./jwt-claims.ts";
import { OAuthError, type OAuthContext, type OAuthTokens } from "./oauth.ts";
import { callVendor, type StandardClient } from "./standard-call.ts";

const MS_PER_S = 1000;

export function tokensFrom(body: Json, context: OAuthContext): OAuthTokens {
  const access = asString(body.access_token);
  if (!access) throw new OAuthError("the vendor's reply contains no token", { definitive: false });
  return {
    access,
    refresh: asString(body.refresh_token) || undefined,
    expiresAt: expiryOf(body, access, context.now()),
  };
}

function expiryOf(body: Json, access: string, now: number): number | undefined {
  const seconds = asNumber(body.expires_in);
  if (seconds !== undefined) return now + seconds * MS_PER_S;
  const told = asNumber(claimsOf(access)?.exp);
  return told === undefined ? undefined : told * MS_PER_S;
}

/** The endpoint's reply to a grant of any type. Throws `OAuthError`. */
export async function requestToken(
  vendor: StandardClient,
  grantType: string,
  parameters: Record<string, string>,
  context: OAuthContext,
): Promise<Json> {
  return callVendor(
    vendor,
    async (server, client, authentication, options) => {
      const response = await genericTokenEndpointRequest(
        server,
        client,
        authentication,
        grantType,
        parameters,
        options,
      );
      return processGenericTokenEndpointResponse(server, client, response);
    },
    context,
  );
}

/** The endpoint's reply to the refresh token. */
export async function requestRefresh(
  vendor: StandardClient,
  { refresh }: OAuthTokens,
  context: OAuthContext,
): Promise<Json> {
  if (refresh === undefined) {
    throw new OAuthError("this login cannot be renewed", { definitive: true });
  }
  return requestToken(vendor, "refresh_token", { refresh_token: refresh }, context);
}
