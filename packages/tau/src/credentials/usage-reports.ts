// How much of each stored login's plan is used. Vendors limit how often they are asked, so
// reports are kept for some minutes, by a little chance each for a different time; and a
// vendor that does not answer leaves the last report standing.

import { ModelError } from "@tau/ai/error";
import { OAuthError, type LoginRow, type OAuthContext } from "@tau/ai/oauth/oauth";
import { fetchUsageReport, hasUsageReport, type UsageReport } from "@tau/ai/oauth/usage-report";
import type { CredentialStore, StoredCredential } from "./credential-store.ts";
import { renewLogin } from "./renew-login.ts";
import type { UsageCache } from "./usage-cache.ts";

const FRESH_MS = 5 * 60_000;
/** So that several credentials are not asked for all at once, again and again. */
const JITTER = 0.25;
/** After a failure; short, because the vendor may be back at once. */
const RETRY_MS = 30_000;
/** An older report says nothing about now. */
const LAST_GOOD_MS = 24 * 60 * 60_000;
const TIMEOUT_MS = 10_000;
/** Renewed before it runs out, because a request takes time to arrive. */
const EXPIRY_MARGIN_MS = 60_000;

export interface UsageView {
  report?: UsageReport;
  /** When the vendor gave it. */
  fetchedAt?: number;
  /** Why there is no newer one. */
  problem?: string;
}

export interface UsageReportsOptions {
  store: CredentialStore;
  cache: UsageCache;
  context: OAuthContext;
  login: (provider: string) => Promise<LoginRow | undefined>;
  fetchReport?: typeof fetchUsageReport;
  random?: () => number;
}

export class UsageReports {
  readonly #options: UsageReportsOptions;
  readonly #underWay = new Map<number, Promise<UsageView>>();

  constructor(options: UsageReportsOptions) {
    this.#options = options;
  }

  /** Undefined where the vendor has no such thing. Never rejects but for an abort. */
  async of(stored: StoredCredential): Promise<UsageView | undefined> {
    if (stored.secret.kind !== "oauth" || !hasUsageReport(stored.provider)) return undefined;
    const known = this.#underWay.get(stored.id);
    if (known) return known;
    const view = this.#look(stored).finally(() => this.#underWay.delete(stored.id));
    this.#underWay.set(stored.id, view);
    return view;
  }

  async #look(stored: StoredCredential): Promise<UsageView> {
    const { cache, context } = this.#options;
    const now = context.now();
    const cached = cache.get(stored.id);
    const old =
      cached?.report && cached.fetchedAt > now - LAST_GOOD_MS
        ? { report: cached.report, fetchedAt: cached.fetchedAt }
        : {};
    if (cached && cached.nextAt > now && cached.fetchedAt <= now) return old;
    if (stored.disabledCause !== undefined) return old;
    try {
      const report = await this.#fetch(stored);
      cache.put(stored.id, { report, fetchedAt: now, nextAt: now + this.#jittered(FRESH_MS) });
      return { report, fetchedAt: now };
    } catch (error) {
      if (!(error instanceof OAuthError) && !(error instanceof ModelError)) throw error;
      cache.put(stored.id, {
        fetchedAt: now,
        ...old,
        nextAt: now + this.#jittered(RETRY_MS),
      });
      return { ...old, problem: error.message };
    }
  }

  async #fetch(stored: StoredCredential): Promise<UsageReport> {
    const { context, fetchReport = fetchUsageReport } = this.#options;
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const signal = AbortSignal.any([context.signal, timeout]);
    const bounded = { ...context, signal };
    try {
      const fresh = await this.#fresh(stored, bounded);
      return await fetchReport(stored.provider, fresh, bounded);
    } catch (error) {
      if (!timeout.aborted || context.signal.aborted) throw error;
      throw new OAuthError(`no answer within ${TIMEOUT_MS / 1000} s`, { definitive: false });
    }
  }

  async #fresh(stored: StoredCredential, context: OAuthContext) {
    if (stored.secret.kind !== "oauth") throw new TypeError("a key has no usage report");
    const { tokens } = stored.secret;
    const { expiresAt, refresh } = tokens;
    const isFresh = expiresAt === undefined || expiresAt - EXPIRY_MARGIN_MS > context.now();
    if (isFresh || refresh === undefined) return tokens;
    const login = await this.#options.login(stored.provider);
    if (!login?.refresh) return tokens;
    const renewed = await renewLogin(this.#options.store, login, stored, context);
    if (renewed?.secret.kind === "oauth") return renewed.secret.tokens;
    throw new OAuthError("the login has ended; log in again", { definitive: true });
  }

  #jittered(ms: number): number {
    const { random = Math.random } = this.#options;
    return Math.round(ms * (1 - JITTER + 2 * JITTER * random()));
  }
}
