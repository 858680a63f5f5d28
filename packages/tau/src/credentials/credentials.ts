// Where a provider's credential comes from, in one order for the whole program: the flag,
// models.yml, stored keys, stored logins, the environment. Sticky per session, renewed when
// it expires, changed when its vendor refuses or limits it.

import type { Credential, CredentialSource } from "@tau/ai/credential";
import type { Environment } from "@tau/ai/environment";
import { ModelError } from "@tau/ai/error";
import type { LoginRow, OAuthContext } from "@tau/ai/oauth/oauth";
import { hasAmbientCredentials, keyFromEnvironment, type ProviderRow } from "@tau/ai/provider-row";
import type { CredentialStore, StoredCredential } from "./credential-store.ts";

/** Renewed before it runs out, because a request takes time to arrive. */
const EXPIRY_MARGIN_MS = 60_000;

export interface CredentialsOptions {
  env: Environment;
  row: (provider: string) => ProviderRow | undefined;
  /** Opened on first use; undefined where there is no store yet. */
  store: () => CredentialStore | undefined;
  login: (id: string) => Promise<LoginRow | undefined>;
  oauth: Omit<OAuthContext, "signal">;
  /** `--api-key`, and the provider it is for. */
  flag?: { provider: string; key: string };
  /** The key of models.yml, resolved. */
  configured: (provider: string) => Promise<string | undefined>;
  hasConfigured: (provider: string) => boolean;
}

export class Credentials implements CredentialSource {
  readonly #options: CredentialsOptions;
  /** Which stored credential a session uses at a provider. */
  readonly #sticky = new Map<string, number>();
  /** What keys were exchanged for, by provider and key. */
  readonly #exchanged = new Map<string, Credential>();

  constructor(options: CredentialsOptions) {
    this.#options = options;
  }

  has(provider: string): boolean {
    const { flag, env, row } = this.#options;
    if (flag?.provider === provider || this.#options.hasConfigured(provider)) return true;
    const found = row(provider);
    if (found && (found.keyless || keyFromEnvironment(found, env))) return true;
    if (found && hasAmbientCredentials(found, env)) return true;
    return this.#enabled(provider).length > 0;
  }

  async get(
    provider: string,
    options: { sessionId?: string; signal?: AbortSignal } = {},
  ): Promise<Credential | undefined> {
    const found = await this.#find(provider, options);
    return found && this.#exchange(provider, found, options.signal);
  }

  async #find(
    provider: string,
    options: { sessionId?: string; signal?: AbortSignal },
  ): Promise<Credential | undefined> {
    const { flag } = this.#options;
    if (flag?.provider === provider) return { origin: "flag", token: flag.key, label: "--api-key" };
    const configured = await this.#options.configured(provider);
    if (configured !== undefined) {
      return { origin: "models.yml", token: configured, label: "models.yml" };
    }
    return this.#stored(provider, options);
  }

  async refresh(
    provider: string,
    refused: Credential,
    signal?: AbortSignal,
  ): Promise<Credential | undefined> {
    if (refused.storedId === undefined) return undefined;
    const stored = this.#options.store()?.get(refused.storedId);
    if (!stored || stored.secret.kind !== "oauth") return undefined;
    // Another process, or another session of this one, may have renewed it meanwhile.
    const isCurrent = stored.secret.tokens.access === refused.token || this.#isExchanged(refused);
    const renewed = isCurrent ? await this.#renew(provider, stored, signal) : stored;
    return renewed && this.#exchange(provider, this.#toCredential(provider, renewed), signal);
  }

  async rotate(
    provider: string,
    limited: Credential,
    options: { until?: number; sessionId?: string },
  ): Promise<Credential | undefined> {
    // A key that was given for this run, or written down, is meant: it is not swapped for another.
    if (limited.origin === "flag" || limited.origin === "models.yml") return undefined;
    const store = this.#options.store();
    if (limited.storedId !== undefined && options.until !== undefined) {
      store?.limit(limited.storedId, options.until);
    }
    const others = this.#usable(provider).filter((stored) => stored.id !== limited.storedId);
    const { credential } = await this.#firstFresh(provider, others, options);
    const isLast = limited.origin === "environment";
    const next = credential ?? (isLast ? undefined : this.#fromEnvironment(provider));
    return next && this.#exchange(provider, next);
  }

  async #stored(
    provider: string,
    options: { sessionId?: string; signal?: AbortSignal },
  ): Promise<Credential | undefined> {
    const usable = this.#usable(provider);
    const stuck = this.#sticky.get(stickyKey(provider, options.sessionId));
    // Keys before logins; within a kind the one that this session began with.
    const ordered = usable.toSorted(
      (a, b) => kindRank(a) - kindRank(b) || Number(b.id === stuck) - Number(a.id === stuck),
    );
    const { credential, failure } = await this.#firstFresh(provider, ordered, options);
    const found = credential ?? this.#fromEnvironment(provider);
    if (found) return found;
    if (failure) throw failure;
    // All are limited: the vendor says so better than we could, and an account may have been paid.
    const soonest = this.#enabled(provider).toSorted(
      (a, b) => (a.limitedUntil ?? 0) - (b.limitedUntil ?? 0),
    );
    const last = await this.#firstFresh(provider, soonest, options);
    if (last.failure && !last.credential) throw last.failure;
    return last.credential;
  }

  /**
   * The first that can be used now. One whose renewal fails is passed over, because another may
   * do; why it failed is for whoever finds no other.
   */
  async #firstFresh(
    provider: string,
    candidates: readonly StoredCredential[],
    options: { sessionId?: string; signal?: AbortSignal },
  ): Promise<{ credential?: Credential; failure?: ModelError }> {
    let failure: ModelError | undefined;
    for (const candidate of candidates) {
      try {
        const credential = await this.#fresh(provider, candidate, options.signal);
        if (!credential) continue;
        this.#stick(provider, options.sessionId, candidate.id);
        return { credential };
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        failure ??= error;
      }
    }
    return { failure };
  }

  /** Neither disabled nor limited now. */
  #usable(provider: string): StoredCredential[] {
    const now = this.#options.oauth.now();
    return this.#enabled(provider).filter(({ limitedUntil }) => (limitedUntil ?? 0) <= now);
  }

  #enabled(provider: string): StoredCredential[] {
    const stored = this.#options.store()?.list(provider) ?? [];
    return stored.filter(({ disabledCause }) => disabledCause === undefined);
  }

  async #fresh(
    provider: string,
    stored: StoredCredential,
    signal?: AbortSignal,
  ): Promise<Credential | undefined> {
    if (stored.secret.kind === "api_key") return this.#toCredential(provider, stored);
    const { expiresAt, refresh } = stored.secret.tokens;
    const expires =
      expiresAt !== undefined && expiresAt - EXPIRY_MARGIN_MS <= this.#options.oauth.now();
    if (!expires || refresh === undefined) return this.#toCredential(provider, stored);
    const renewed = await this.#renew(provider, stored, signal);
    return renewed && this.#toCredential(provider, renewed);
  }

  #toCredential(provider: string, stored: StoredCredential): Credential {
    const credential = toCredential(stored);
    const login = stored.secret.kind === "oauth" && this.#options.row(provider)?.loginAuth;
    return login ? { ...credential, ...login } : credential;
  }

  /** For providers that take no key but a token for it. */
  async #exchange(
    provider: string,
    credential: Credential,
    signal?: AbortSignal,
  ): Promise<Credential> {
    const name = this.#options.row(provider)?.keyExchange;
    if (name === undefined) return credential;
    const key = `${provider}\n${credential.token}`;
    const known = this.#exchanged.get(key);
    const { fetch, env, now } = this.#options.oauth;
    if (known && (known.expiresAt ?? 0) > now()) return known;
    const { KEY_EXCHANGES } = await import("@tau/ai/key-exchange");
    const context = { fetch, env, now, signal };
    const exchanged = (await KEY_EXCHANGES[name]?.(credential, context)) ?? credential;
    this.#exchanged.set(key, exchanged);
    return exchanged;
  }

  #isExchanged(credential: Credential): boolean {
    return [...this.#exchanged.values()].some((known) => known.token === credential.token);
  }

  async #renew(
    provider: string,
    stored: StoredCredential,
    signal = new AbortController().signal,
  ): Promise<StoredCredential | undefined> {
    const id = this.#options.row(provider)?.login;
    const login = id === undefined ? undefined : await this.#options.login(id);
    const store = this.#options.store();
    if (!login?.refresh || !store) return undefined;
    const { renewLogin } = await import("./renew-login.ts");
    return renewLogin(store, login, stored, { ...this.#options.oauth, signal });
  }

  #fromEnvironment(provider: string): Credential | undefined {
    const row = this.#options.row(provider);
    const found = row && keyFromEnvironment(row, this.#options.env);
    return found && { origin: "environment", token: found.key, label: found.variable };
  }

  #stick(provider: string, sessionId: string | undefined, id: number): void {
    this.#sticky.set(stickyKey(provider, sessionId), id);
  }
}

function kindRank({ secret }: StoredCredential): number {
  return secret.kind === "api_key" ? 0 : 1;
}

function stickyKey(provider: string, sessionId: string | undefined): string {
  return `${provider}\n${sessionId ?? ""}`;
}

function toCredential(stored: StoredCredential): Credential {
  const { id: storedId, label, secret } = stored;
  if (secret.kind === "api_key")
    return { origin: "stored key", token: secret.key, label, storedId };
  const { access, expiresAt, baseUrl, headers } = secret.tokens;
  return {
    origin: "stored login",
    token: access,
    label,
    storedId,
    expiresAt,
    baseUrl,
    headers,
  };
}
