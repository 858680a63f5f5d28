// Proof that whoever redeems a code is who asked for it (RFC 7636), and the random words
// that a login needs.

/** 256 bits, as the RFC recommends; 43 characters. */
const RANDOM_BYTES = 32;

export interface Pkce {
  verifier: string;
  /** Of the verifier, by the method S256. */
  challenge: string;
}

export async function createPkce(): Promise<Pkce> {
  const verifier = randomWord();
  return { verifier, challenge: await challengeOf(verifier) };
}

export async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return base64Url(new Uint8Array(digest));
}

/** Not to be guessed; also used as `state`. */
export function randomWord(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
