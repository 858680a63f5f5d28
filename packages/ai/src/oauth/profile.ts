// Whose login it is, asked of the vendor: a name for people. Without one the login is as
// good, so nothing here fails it.

import type { Json } from "../wires/json.ts";
import { OAuthError, type OAuthContext } from "./oauth.ts";
import { requestVendor } from "./vendor-request.ts";

/** The profile that belongs to an access token; empty where the vendor does not tell. */
export async function profileOf(url: string, access: string, context: OAuthContext): Promise<Json> {
  const headers = { authorization: `Bearer ${access}` };
  try {
    const reply = await requestVendor(url, { method: "GET", headers }, context);
    return reply.ok ? (reply.body ?? {}) : {};
  } catch (error) {
    if (error instanceof OAuthError) return {};
    throw error;
  }
}
