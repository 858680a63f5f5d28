// Renews a stored login exactly once, however many processes and sessions notice at the
// same time that it has expired: vendors hand out a new refresh token each time and revoke
// logins whose old one is used again.

import { ModelError, modelFailure } from "@tau/ai/error";
import { OAuthError, type LoginRow, type OAuthContext } from "@tau/ai/oauth/oauth";
import type { CredentialStore, StoredCredential } from "./credential-store.ts";

/** Longer than any token endpoint takes; a process that died in between is waited for no longer. */
const LEASE_MS = 30_000;
const POLL_MS = 50;

type Renewal = Promise<StoredCredential | undefined>;

/** Renewals of this process under way, by store and row. */
const underWay = new WeakMap<CredentialStore, Map<string, Renewal>>();

/** The renewed row; undefined where the vendor refused for good (the row is disabled then). */
export function renewLogin(
  store: CredentialStore,
  login: LoginRow,
  stored: StoredCredential,
  context: OAuthContext,
): Renewal {
  const renewals = underWay.get(store) ?? new Map<string, Renewal>();
  underWay.set(store, renewals);
  const key = `${stored.id}:${stored.version}`;
  const known = renewals.get(key);
  if (known) return known;
  const renewing = renew(store, login, stored, context).finally(() => renewals.delete(key));
  renewals.set(key, renewing);
  return renewing;
}

async function renew(
  store: CredentialStore,
  login: LoginRow,
  stored: StoredCredential,
  context: OAuthContext,
): Renewal {
  if (stored.secret.kind !== "oauth" || !login.refresh) return undefined;
  const owner = crypto.randomUUID();
  while (!store.leaseRefresh(stored, owner, LEASE_MS)) {
    context.signal.throwIfAborted();
    const now = store.get(stored.id);
    if (!now || now.disabledCause !== undefined) return undefined;
    if (now.version !== stored.version) return now;
    await Bun.sleep(POLL_MS);
  }
  try {
    const tokens = await login.refresh(stored.secret.tokens, context);
    // The refresh token has been used: what came for it is kept, whatever else happens.
    store.finishRefresh(stored.id, owner, keepOld(stored.secret.tokens, tokens));
    return store.get(stored.id);
  } catch (error) {
    store.releaseRefresh(stored.id, owner);
    if (!(error instanceof OAuthError)) throw error;
    if (error.definitive) {
      store.disable(stored.id, error.message);
      return undefined;
    }
    // It may work in a moment: a failure like any other of a network or a server, to be retried.
    const { code, status } = error;
    const message = `renewing the login at ${login.name} failed: ${error.message}`;
    const kind = status === undefined ? "network" : "overloaded";
    throw new ModelError(modelFailure(kind, message, { code, status }), { cause: error });
  }
}

/** A vendor that sends no new refresh token means the old one to be used again. */
function keepOld<T extends object>(old: T, renewed: T): T {
  const told = Object.entries(renewed).filter(([, value]) => value !== undefined);
  return { ...old, ...Object.fromEntries(told) };
}
