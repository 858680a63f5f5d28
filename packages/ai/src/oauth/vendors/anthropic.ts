// Claude Pro and Max. The code comes over loopback, or from a page of Anthropic's that
// shows it for copying.

import { asObject, asString, type Json } from "../../wires/json.ts";
import { authorizeWithCode } from "../authorization-code.ts";
import type { OAuthContext, OAuthTokens } from "../oauth.ts";
import { requestRefresh, tokensFrom } from "../token-endpoint.ts";
import type { Vendor } from "../vendor.ts";

/** Public, of the vendor's own command-line tool. */
const CLIENT_ID = "9d1c250a-e61b-44d9-88ed-5944d1962f5e";
/** `user:profile` is what the usage report needs. */
const SCOPE = "org:create_api_key user:profile user:inference";

export const anthropic: Vendor<"authorize" | "token" | "paste"> = {
  endpoints: {
    authorize: "https://claude.ai/oauth/authorize",
    token: "https://platform.claude.com/v1/oauth/token",
    paste: "https://platform.claude.com/oauth/code/callback",
  },
  ports: [54545],

  async login(driver, context) {
    const reply = await authorizeWithCode(
      {
        authorizeUrl: context.endpoints.authorize,
        token: { url: context.endpoints.token, encoding: "json" },
        clientId: CLIENT_ID,
        scope: SCOPE,
        loopback: { host: "localhost", ports: context.ports, path: "/callback" },
        pasteRedirect: context.endpoints.paste,
        parameters: { code: "true" },
        sendsState: true,
      },
      driver,
      context,
    );
    return { kind: "oauth", tokens: withAccount(reply, context) };
  },

  async refresh(tokens, context) {
    const client = {
      url: context.endpoints.token,
      encoding: "json" as const,
      clientId: CLIENT_ID,
    };
    return withAccount(await requestRefresh(client, tokens, context), context);
  },
};

function withAccount(reply: Json, context: OAuthContext): OAuthTokens {
  const account = asString(asObject(reply.account)?.email_address);
  return { ...tokensFrom(reply, context), account };
}
