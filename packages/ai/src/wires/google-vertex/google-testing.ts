// A token service as Google runs one, for the tests: it checks what it is shown and counts
// what it grants.

import { generateKeyPairSync, createVerify } from "node:crypto";
import type { Environment } from "../../environment.ts";
import type { ReadFile } from "../../wire.ts";

const KEYS = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

export interface TokenService extends AsyncDisposable {
  uri: string;
  grants: URLSearchParams[];
  /** What was wrong with an assertion, or nothing. */
  faults: string[];
}

export function tokenService(options: { lifetimeS?: number; refuse?: boolean } = {}): TokenService {
  const grants: URLSearchParams[] = [];
  const faults: string[] = [];
  const http = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const form = new URLSearchParams(await request.text());
      grants.push(form);
      if (options.refuse) {
        const refusal = { error: "invalid_grant", error_description: "Token has been revoked." };
        return Response.json(refusal, { status: 400 });
      }
      const assertion = form.get("assertion");
      if (assertion) faults.push(...faultsOf(assertion, request.url));
      const access_token = `token-${grants.length}`;
      return Response.json({ access_token, expires_in: options.lifetimeS ?? 3600 });
    },
  });
  const uri = `http://127.0.0.1:${http.port}/token`;
  return { uri, grants, faults, [Symbol.asyncDispose]: () => http.stop(true) };
}

/** Verified with another library than the one that signs. */
function faultsOf(assertion: string, audience: string): string[] {
  const [head, claims, signature] = assertion.split(".") as [string, string, string];
  const verifier = createVerify("RSA-SHA256").update(`${head}.${claims}`);
  const faults: string[] = [];
  if (!verifier.verify(KEYS.publicKey, signature, "base64url")) faults.push("bad signature");
  const read = (part: string) =>
    JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
  const { alg, kid } = read(head);
  if (alg !== "RS256" || kid !== "key-1") faults.push("bad head");
  const { iss, aud, scope, iat, exp } = read(claims);
  if (iss !== "robot@p.iam") faults.push(`iss ${String(iss)}`);
  if (aud !== audience) faults.push(`aud ${String(aud)}`);
  if (scope !== "https://www.googleapis.com/auth/cloud-platform") faults.push("scope");
  if (Number(exp) - Number(iat) !== 3600) faults.push("lifetime");
  return faults;
}

let nth = 0;

/** A new account each time, so that no test finds another's token in the cache. */
export function serviceAccount(uri: string): Record<string, unknown> {
  return {
    type: "service_account",
    project_id: "robot-project",
    private_key_id: "key-1",
    private_key: KEYS.privateKey,
    client_email: "robot@p.iam",
    token_uri: uri,
    nth: nth++,
  };
}

export function user(uri: string): Record<string, unknown> {
  return {
    type: "authorized_user",
    client_id: "c",
    client_secret: "s",
    refresh_token: "r",
    quota_project_id: "payer",
    token_uri: uri,
    nth: nth++,
  };
}

/** A file system of these files alone. */
export function filesOf(files: Record<string, unknown>): ReadFile {
  return async (path) => {
    const file = files[path];
    if (file === undefined) throw Object.assign(new Error(`no ${path}`), { code: "ENOENT" });
    return typeof file === "string" ? file : JSON.stringify(file);
  };
}

export const PLACE: Environment = {
  GOOGLE_CLOUD_PROJECT: "p-1",
  GOOGLE_VERTEX_LOCATION: "europe-west4",
};
