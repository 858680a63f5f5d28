// Google's Application Default Credentials, as far as they are a file: which one it is, and
// the access token that it is good for. Machines that are credentials themselves (inside
// Google's cloud) are not asked.

import { firstSet } from "../../environment.ts";
import type { AuthorizationContext } from "../../wire.ts";
import { authFailure } from "../auth-failure.ts";
import { readFileIfThere, readNamedFile } from "../credential-file.ts";
import { ExpiringCache, type Expiring } from "../expiring-cache.ts";
import { asNumber, asString, parseObject, type Json } from "../json.ts";
import { requestToken } from "../token-request.ts";
import { signAssertion } from "./service-account.ts";

const NAMED_BY = "GOOGLE_APPLICATION_CREDENTIALS";
const WELL_KNOWN = "application_default_credentials.json";
const DEFAULT_TOKEN_URI = "https://oauth2.googleapis.com/token";
const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const DEFAULT_LIFETIME_S = 3600;
const MS_PER_SECOND = 1000;

export interface AccessToken {
  value: string;
  /** The project that a service account belongs to. */
  project?: string;
  /** The project that pays, where a user's own credentials name one. */
  quotaProject?: string;
}

const tokens = new ExpiringCache<AccessToken>();

export async function applicationDefaultToken(context: AuthorizationContext): Promise<AccessToken> {
  const { path, text } = await findFile(context);
  // By content, so that a file that was replaced is noticed.
  return tokens.get(text, context.signal, () => tokenFor(context, path, text));
}

async function findFile(context: AuthorizationContext): Promise<{ path: string; text: string }> {
  const named = firstSet([NAMED_BY], context.env);
  if (named !== undefined) {
    return { path: named, text: await readNamedFile(context, named, NAMED_BY) };
  }
  for (const path of wellKnownPaths(context.env)) {
    const text = await readFileIfThere(context, path);
    if (text !== undefined) return { path, text };
  }
  throw authFailure(
    `There are no Google credentials: set GOOGLE_CLOUD_API_KEY or ${NAMED_BY}, or run "gcloud auth application-default login".`,
  );
}

function wellKnownPaths(env: AuthorizationContext["env"]): string[] {
  const folders = [
    env.CLOUDSDK_CONFIG,
    env.HOME ? `${env.HOME}/.config/gcloud` : undefined,
    env.APPDATA ? `${env.APPDATA}/gcloud` : undefined,
  ];
  return folders.flatMap((folder) => (folder ? [`${folder}/${WELL_KNOWN}`] : []));
}

async function tokenFor(
  context: AuthorizationContext,
  path: string,
  text: string,
): Promise<Expiring<AccessToken>> {
  const file = parseObject(text);
  if (!file) throw authFailure(`${path} is no JSON object; it should hold Google credentials.`);
  const tokenUri = asString(file.token_uri) ?? DEFAULT_TOKEN_URI;
  const form = await formFor(file, path, tokenUri);
  const body = await requestToken(context.fetch, "Google's token service", tokenUri, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: form.toString(),
  });
  const granted = parseObject(body);
  const value = asString(granted?.access_token);
  if (!value) throw authFailure(`${tokenUri} granted no access token for ${path}.`);
  const lifetime = asNumber(granted?.expires_in) ?? DEFAULT_LIFETIME_S;
  const project = asString(file.project_id) || undefined;
  const quotaProject = asString(file.quota_project_id);
  return {
    value: { value, project, quotaProject },
    expiresAt: Date.now() + lifetime * MS_PER_SECOND,
  };
}

async function formFor(file: Json, path: string, tokenUri: string): Promise<URLSearchParams> {
  const field = (name: string): string => {
    const value = asString(file[name]);
    if (!value) throw authFailure(`${path} lacks "${name}"; create the credentials anew.`);
    return value;
  };
  switch (file.type) {
    case "service_account": {
      const assertion = await signAssertion({
        email: field("client_email"),
        privateKey: field("private_key"),
        keyId: asString(file.private_key_id),
        audience: tokenUri,
        path,
      });
      return new URLSearchParams({ grant_type: JWT_BEARER, assertion });
    }
    case "authorized_user":
      return new URLSearchParams({
        grant_type: "refresh_token",
        client_id: field("client_id"),
        client_secret: field("client_secret"),
        refresh_token: field("refresh_token"),
      });
    default:
      throw authFailure(
        `${path} holds credentials of the type "${String(file.type)}", which Tau cannot use: take a service account's key, or run "gcloud auth application-default login".`,
      );
  }
}
