// GitLab accounts with Duo. GitLab's registered redirect names 127.0.0.1, not localhost,
// and it compares the text.

import { asString } from "../../wires/json.ts";
import { authorizeWithCode } from "../authorization-code.ts";
import { profileOf } from "../profile.ts";
import { requestRefresh, tokensFrom } from "../token-endpoint.ts";
import type { Vendor } from "../vendor.ts";

/** Public, of the vendor's own plugin; companies register one of their own. */
const CLIENT_ID = "1d89f9fdb23ee96d4e603201f6861dab6e143c5c3c00469a018a2d94bdc03d4e";
const CLIENT_VARIABLE = "GITLAB_OAUTH_CLIENT_ID";
const SCOPE = "api";

export const gitlabDuo: Vendor<"authorize" | "token" | "user"> = {
  endpoints: {
    authorize: "https://gitlab.com/oauth/authorize",
    token: "https://gitlab.com/oauth/token",
    user: "https://gitlab.com/api/v4/user",
  },
  ports: [8080],

  async login(driver, context) {
    const clientId = context.env[CLIENT_VARIABLE] || CLIENT_ID;
    const reply = await authorizeWithCode(
      {
        authorizeUrl: context.endpoints.authorize,
        token: { url: context.endpoints.token },
        clientId,
        scope: SCOPE,
        loopback: { host: "127.0.0.1", ports: context.ports, path: "/callback" },
      },
      driver,
      context,
    );
    const tokens = tokensFrom(reply, context);
    const { username } = await profileOf(context.endpoints.user, tokens.access, context);
    const account = asString(username);
    return {
      kind: "oauth",
      tokens: { ...tokens, account, extra: { clientId } },
    };
  },

  async refresh(tokens, context) {
    const clientId = tokens.extra?.clientId ?? CLIENT_ID;
    const client = { url: context.endpoints.token, clientId };
    return tokensFrom(await requestRefresh(client, tokens, context), context);
  },
};
