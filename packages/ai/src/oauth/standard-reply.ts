// Vendors' replies, straightened to what the standard says: the OAuth library is strict, and
// vendors deviate. Each deviation that is forgiven has a line here, and no other is.

import type { Json } from "../wires/json.ts";
import type { VendorReply } from "./vendor-request.ts";

/** Whatever a vendor says: faster would be hammering. */
const MIN_INTERVAL_S = 1;

export type Straighten = (body: Json) => Json;

/** Whole, as the library expects it; the status says only whether it is a refusal. */
export function standardReply({ ok, body }: VendorReply, straighten: Straighten): Response {
  // Not JSON: the library is to find that out itself.
  if (!body) return new Response(null, { status: ok ? 200 : 400 });
  // GitHub refuses with status 200, others grant with 201.
  const isRefusal = !ok || Boolean(body.error);
  return Response.json(isRefusal ? body : straighten(withoutEmpty(body)), {
    status: isRefusal ? 400 : 200,
  });
}

/** RFC 6749, section 5.1. */
export function straightToken(body: Json): Json {
  // A scope may be a list; nobody here reads it. An identity token is only read for a name
  // (see jwt-claims.ts): checking it would need every vendor's issuer and keys.
  const { scope: _scope, id_token: _identity, ...token } = body;
  if (!(Number(token.expires_in) >= 0)) delete token.expires_in;
  token.token_type ??= "Bearer";
  return token;
}

/** RFC 8628, section 3.2; `lifetimeS` if the vendor does not tell how long its code lives. */
export function straightDevice(body: Json, lifetimeS: number): Json {
  const device: Json = { ...body };
  const interval = Number(body.interval);
  device.interval = Number.isNaN(interval) ? undefined : Math.max(MIN_INTERVAL_S, interval);
  if (!(Number(device.expires_in) > 0)) device.expires_in = lifetimeS;
  // As Google spells it.
  device.verification_uri ??= body.verification_url;
  // Some tell only the address that holds the code.
  device.verification_uri ??= body.verification_uri_complete;
  return device;
}

/** Some name every member and leave it empty. */
function withoutEmpty(body: Json): Json {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== null && value !== ""),
  );
}
