// Logging in at a vendor, as far as it does not depend on the machine: what a login gives,
// what it needs from whoever drives it, and how it fails. The flows are in their own
// files, the vendors are rows in logins.ts.

import type { Environment } from "../environment.ts";

export interface OAuthTokens {
  access: string;
  refresh?: string;
  /** Milliseconds since the epoch. */
  expiresAt?: number;
  /** Whose login it is, for people: an address, an organisation. */
  account?: string;
  /** Sent with every request: account or project ids. */
  headers?: Record<string, string>;
  /** Where the account's endpoint is its own. */
  baseUrl?: string;
  /** What a refresh needs besides the refresh token. */
  extra?: Record<string, string>;
}

/** What a login ends with: tokens, or a key that the user pasted or the vendor handed out. */
export type LoginResult = { kind: "oauth"; tokens: OAuthTokens } | { kind: "api_key"; key: string };

/** The person and the machine that a login talks to. */
export interface LoginDriver {
  /** Shows where to go, and opens a browser where there is one. */
  open(url: string, instructions: string): void;
  /** Shows a code that the user types at the vendor's page. */
  showCode(code: string, url: string): void;
  /**
   * Asks for a line; a secret is not echoed. `signal` takes the question back. Rejects with
   * `CannotAsk` where nobody is there.
   */
  ask(question: string, options: { secret: boolean; signal?: AbortSignal }): Promise<string>;
  /**
   * Listens on loopback for the vendor's redirect. `settled` gives its query; `close` ends
   * it early. Rejects with `LoopbackUnavailable` where the port is taken.
   */
  listen(options: LoopbackOptions): Promise<LoopbackListener>;
  progress(text: string): void;
}

export interface LoopbackOptions {
  port: number;
  path: string;
  /** How the vendor knows this machine: it compares the redirect's text. */
  host?: "localhost" | "127.0.0.1";
  /** A redirect with another state is not ours and settles nothing. */
  state?: string;
}

export interface LoopbackListener {
  redirectUri: string;
  settled: Promise<URLSearchParams>;
  close(): void;
}

export class LoopbackUnavailable extends Error {
  override readonly name = "LoopbackUnavailable";
}

/** There is nobody to put a question to. */
export class CannotAsk extends Error {
  override readonly name = "CannotAsk";
}

export interface OAuthContext {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  signal: AbortSignal;
  env: Environment;
  now: () => number;
  /** Between polls; a real clock where it is left out. Rejects when `signal` aborts. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Why a login or a refresh failed. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  /** The vendor's code, such as `invalid_grant`. */
  readonly code: string | undefined;
  /**
   * The vendor has decided: the same tokens will never work again. Anything else (no
   * network, a busy server) may pass.
   */
  readonly definitive: boolean;
  /** What the vendor answered with, where it answered at all. */
  readonly status: number | undefined;

  constructor(message: string, options: { code?: string; definitive: boolean; status?: number }) {
    super(message);
    this.status = options.status;
    this.code = options.code;
    this.definitive = options.definitive;
  }
}

/** A vendor one can log in at. */
export interface LoginRow {
  id: string;
  name: string;
  /** The provider its credentials are for. */
  provider: string;
  login(driver: LoginDriver, context: OAuthContext): Promise<LoginResult>;
  /** Absent for tokens that do not expire. Throws `OAuthError`. */
  refresh?(tokens: OAuthTokens, context: OAuthContext): Promise<OAuthTokens>;
}
