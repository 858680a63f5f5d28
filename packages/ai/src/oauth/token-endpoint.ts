// A vendor's token endpoint: asks it for tokens, reads what it gives, and renews them.

import { asNumber, asString, type Json } from "../wires/json.ts";
import { claimsOf } from "./jwt-claims.ts";
import { OAuthError, type OAuthContext, type OAuthTokens } from "./oauth.ts";
import { failureOf, requestVendor } from "./vendor-request.ts";

export interface TokenEndpoint {
  url: string;
  /** How it wants its parameters; a form, as the standard says, where this is left out. */
  encoding?: "form" | "json";
  headers?: Readonly<Record<string, string>>;
}

const SECRET_PARAMETERS = [
  "code",
  "code_verifier",
  "refresh_token",
  "client_secret",
  "device_code",
] as const;

const MS_PER_S = 1000;

/** The endpoint's reply; throws `OAuthError` where it holds no token. */
export async function requestToken(
  endpoint: TokenEndpoint,
  parameters: Readonly<Record<string, string>>,
  context: OAuthContext,
): Promise<Json> {
  const reply = await requestVendor(
    endpoint.url,
    {
      method: "POST",
      ...(endpoint.headers ? { headers: endpoint.headers } : {}),
      ...(endpoint.encoding === "json" ? { json: { ...parameters } } : { form: parameters }),
    },
    context,
  );
  // Some answer with status 200 and an error.
  if (reply.ok && asString(reply.body?.access_token)) return reply.body!;
  const secrets = SECRET_PARAMETERS.flatMap((name) => parameters[name] ?? []);
  throw failureOf("the vendor returned no token", reply, secrets);
}

export function tokensFrom(body: Json, context: OAuthContext): OAuthTokens {
  const access = asString(body.access_token);
  if (!access) throw new OAuthError("the vendor's reply contains no token", { definitive: false });
  const refresh = asString(body.refresh_token);
  const expiresAt = expiryOf(body, access, context.now());
  return {
    access,
    ...(refresh ? { refresh } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

function expiryOf(body: Json, access: string, now: number): number | undefined {
  const seconds = asNumber(body.expires_in) ?? asNumber(Number(body.expires_in ?? Number.NaN));
  if (seconds !== undefined) return now + seconds * MS_PER_S;
  const told = asNumber(claimsOf(access)?.exp);
  return told === undefined ? undefined : told * MS_PER_S;
}

export interface RefreshClient extends TokenEndpoint {
  clientId: string;
  clientSecret?: string;
}

/** The endpoint's reply to the refresh token. */
export async function requestRefresh(
  client: RefreshClient,
  tokens: OAuthTokens,
  context: OAuthContext,
): Promise<Json> {
  if (tokens.refresh === undefined) {
    throw new OAuthError("this login cannot be renewed", { definitive: true });
  }
  return requestToken(
    client,
    {
      grant_type: "refresh_token",
      client_id: client.clientId,
      refresh_token: tokens.refresh,
      ...(client.clientSecret === undefined ? {} : { client_secret: client.clientSecret }),
    },
    context,
  );
}
