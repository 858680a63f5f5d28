// What a provider is spoken to with, and where it comes from. The types are here because
// wires and the failure policy need them; how credentials are stored is the application's.

import type { AuthStyle } from "./model.ts";

/** In the order in which they are tried; the first that has one wins. */
const CREDENTIAL_SOURCES = [
  "flag",
  "models.yml",
  "stored key",
  "stored login",
  "environment",
] as const;
export type CredentialOrigin = (typeof CREDENTIAL_SOURCES)[number];

export interface Credential {
  origin: CredentialOrigin;
  /** The key or access token. Never logged. */
  token: string;
  /** Identifies a stored credential among several of one provider. */
  storedId?: number;
  /** What to call it on screen: an account, a variable's name. Never the token. */
  label: string;
  /** Milliseconds since the epoch; absent for what does not expire. */
  expiresAt?: number;
  /** Set by logins whose endpoint depends on the account. */
  baseUrl?: string;
  /** Sent along with the token: account or project ids. */
  headers?: Record<string, string>;
  /** Where this kind of credential is sent in another way than the provider's keys. */
  auth?: AuthStyle;
  /** Laid over the model's: a login may need what a key does not. */
  quirks?: Readonly<Record<string, unknown>>;
}

/** Where a call gets its credential, and what it can do when the vendor refuses it. */
export interface CredentialSource {
  /**
   * The credential to use; the same one for a session as long as it works, so that a
   * vendor's prompt cache stays warm. Refreshes an expired login first. Undefined where
   * there is none.
   */
  get(
    provider: string,
    options?: { sessionId?: string; signal?: AbortSignal },
  ): Promise<Credential | undefined>;
  /** After a 401: a renewed version of the same credential, if that is possible. */
  refresh(
    provider: string,
    refused: Credential,
    signal?: AbortSignal,
  ): Promise<Credential | undefined>;
  /**
   * After a 429 or a definitive refusal: another credential of the provider, if there is
   * one. The limited one is left alone until `until` (milliseconds since the epoch).
   */
  rotate(
    provider: string,
    limited: Credential,
    options: { until?: number; sessionId?: string },
  ): Promise<Credential | undefined>;
  /** Without a refresh or any network: whether `get` would find something. */
  has(provider: string): boolean;
}
