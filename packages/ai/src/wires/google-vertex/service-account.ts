// A service account proves itself with a statement that it signs: RS256, by hand, because
// that is all of JWT that is needed here.

import { authFailure } from "../auth-failure.ts";

const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
/** The longest that Google takes, in seconds. */
const LIFETIME_S = 3600;
const MS_PER_SECOND = 1000;
const PEM = /-----BEGIN PRIVATE KEY-----([\s\S]+?)-----END PRIVATE KEY-----/;

export interface Assertion {
  email: string;
  /** PKCS #8 as PEM. */
  privateKey: string;
  keyId: string | undefined;
  audience: string;
  /** Where the key came from, for a failure to name. */
  path: string;
}

export async function signAssertion(assertion: Assertion, now = Date.now()): Promise<string> {
  const { email, keyId, audience } = assertion;
  const iat = Math.floor(now / MS_PER_SECOND);
  const head = { alg: "RS256", typ: "JWT", kid: keyId || undefined };
  const claims = { iss: email, scope: SCOPE, aud: audience, iat, exp: iat + LIFETIME_S };
  const signed = `${encode(head)}.${encode(claims)}`;
  const key = await importKey(assertion);
  const bytes = new TextEncoder().encode(signed);
  const signature = await crypto.subtle.sign("RSASSA-PKCS1-v1_5", key, bytes);
  return `${signed}.${base64Url(new Uint8Array(signature))}`;
}

async function importKey({ privateKey, path }: Assertion): Promise<CryptoKey> {
  const pem = PEM.exec(privateKey);
  if (!pem) throw authFailure(`The private key in ${path} is no PKCS #8 key; create it anew.`);
  try {
    const der = Uint8Array.fromBase64(pem[1]!.replace(/\s+/g, ""));
    const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
    return await crypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
  } catch (error) {
    throw authFailure(`The private key in ${path} cannot be read; create it anew.`, error);
  }
}

function encode(value: unknown): string {
  return base64Url(new TextEncoder().encode(JSON.stringify(value)));
}

function base64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}
