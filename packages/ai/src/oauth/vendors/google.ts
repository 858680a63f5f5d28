// Google's two coding plans: one flow, two registered applications. Each wants the client
// secret that Google gives installed applications: its token endpoint refuses them without it,
// PKCE or not. It is not ours to hand out, so it comes from the environment or is asked for, and
// is kept with the login, because renewing needs it too.

import { asString, type Json } from "../../wires/json.ts";
import { authorizeWithCode } from "../authorization-code.ts";
import { findCloudProject } from "../cloud-project.ts";
import { CLOUD_PROJECT_HEADER } from "../cloud-project-header.ts";
import { checkedKey } from "../key-login.ts";
import { CannotAsk, OAuthError, type LoginDriver } from "../oauth.ts";
import { profileOf } from "../profile.ts";
import { requestRefresh, tokensFrom } from "../token-endpoint.ts";
import type { Vendor, VendorContext } from "../vendor.ts";

interface Application {
  name: string;
  clientId: string;
  secretVariable: string;
  /** For people who are asked for the secret. */
  secretPlace: string;
  scopes: readonly string[];
  port: number;
  path: string;
}

type Endpoint = "authorize" | "token" | "user" | "codeAssist";

const ISSUER = "https://accounts.google.com";
const SCOPE_BASE = "https://www.googleapis.com/auth/";
const SCOPES = ["cloud-platform", "userinfo.email", "userinfo.profile"];

export const geminiCli = vendorOf({
  name: "Gemini CLI",
  clientId: "681255809395-oo8ft2oprdrnp9e3aqf6av3hmdib135j.apps.googleusercontent.com",
  secretVariable: "GEMINI_CLI_OAUTH_CLIENT_SECRET",
  secretPlace:
    "its source code has it: OAUTH_CLIENT_SECRET in packages/core/src/code_assist/oauth2.ts of github.com/google-gemini/gemini-cli",
  scopes: SCOPES,
  port: 8085,
  path: "/oauth2callback",
});

export const antigravity = vendorOf({
  name: "Antigravity",
  clientId: "1071006060591-tmhssin2h21lcre235vtolojh4g403ep.apps.googleusercontent.com",
  secretVariable: "ANTIGRAVITY_OAUTH_CLIENT_SECRET",
  secretPlace: "Google publishes it only inside the application that you install",
  scopes: [...SCOPES, "cclog", "experimentsandconfigs"],
  port: 51121,
  path: "/oauth-callback",
});

function vendorOf(application: Application): Vendor<Endpoint> {
  const { clientId } = application;
  return {
    endpoints: {
      authorize: "https://accounts.google.com/o/oauth2/v2/auth",
      token: "https://oauth2.googleapis.com/token",
      user: "https://www.googleapis.com/oauth2/v1/userinfo?alt=json",
      codeAssist: "https://cloudcode-pa.googleapis.com/v1internal",
    },
    ports: [application.port],

    async login(driver, context) {
      const clientSecret = await askedSecret(application, driver, context);
      const reply = await authorizeWithCode(
        {
          authorizeUrl: context.endpoints.authorize,
          token: { url: context.endpoints.token },
          clientId,
          clientSecret,
          issuer: ISSUER,
          scope: application.scopes.map((scope) => SCOPE_BASE + scope).join(" "),
          loopback: { host: "localhost", ports: context.ports, path: application.path },
          // Google gives a refresh token only to those who ask for consent each time.
          parameters: { access_type: "offline", prompt: "consent" },
        },
        driver,
        context,
      );
      const tokens = tokensFrom(reply, context);
      const { email } = await profileOf(context.endpoints.user, tokens.access, context);
      driver.progress("Looking for your project …");
      const base = context.endpoints.codeAssist;
      const project = await findCloudProject(base, tokens.access, context);
      return {
        kind: "oauth",
        tokens: {
          ...tokens,
          account: asString(email),
          headers: { [CLOUD_PROJECT_HEADER]: project },
          extra: { project, clientSecret },
        },
      };
    },

    async refresh(tokens, context) {
      const clientSecret = tokens.extra?.clientSecret ?? secretOf(application, context);
      const client = { url: context.endpoints.token, clientId, clientSecret };
      const reply: Json = await requestRefresh(client, tokens, context);
      return tokensFrom(reply, context);
    },
  };
}

async function askedSecret(
  application: Application,
  driver: LoginDriver,
  context: VendorContext<Endpoint>,
): Promise<string> {
  const { name, secretVariable, secretPlace } = application;
  if (context.env[secretVariable]) return context.env[secretVariable];
  try {
    const question = `Google requires the client secret of ${name} (${secretPlace}). Paste it (it will not be shown):`;
    return checkedKey(await driver.ask(question, { secret: true, signal: context.signal }));
  } catch (error) {
    if (!(error instanceof CannotAsk)) throw error;
    throw noSecret(application);
  }
}

function secretOf(application: Application, { env }: VendorContext<Endpoint>): string {
  const secret = env[application.secretVariable];
  if (secret) return secret;
  throw noSecret(application);
}

function noSecret({ name, secretVariable, secretPlace }: Application): OAuthError {
  return new OAuthError(
    `Google requires the client secret of ${name} for this login (${secretPlace}): set ${secretVariable}, or log in at a terminal, which asks for it; an API key (GEMINI_API_KEY) needs no login`,
    { code: "no_client_secret", definitive: false },
  );
}
