// Tokens that were asked for once and are good for a while. Calls that need the same one at
// the same time share the asking; a caller that gives up does not take it from the others.

/** A token this close to its end is renewed: clocks differ, and requests take time. */
const EXPIRY_MARGIN_MS = 5 * 60_000;
/** Identities in use at once; more than this means that keys change with every call. */
const MAX_ENTRIES = 16;

export interface Expiring<T> {
  value: T;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

export class ExpiringCache<T> {
  #entries = new Map<string, Promise<Expiring<T>>>();
  #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** `load` gets no signal: it belongs to every caller that waits for it. */
  async get(key: string, signal: AbortSignal, load: () => Promise<Expiring<T>>): Promise<T> {
    const held = this.#entries.get(key);
    if (held) {
      const { value, expiresAt } = await unlessAborted(held, signal);
      if (expiresAt - EXPIRY_MARGIN_MS > this.#now()) return value;
      // Whoever came here first has replaced it already.
      if (this.#entries.get(key) === held) this.#entries.delete(key);
      else return this.get(key, signal, load);
    }
    const loading = load();
    this.#keep(key, loading);
    return (await unlessAborted(loading, signal)).value;
  }

  #keep(key: string, loading: Promise<Expiring<T>>): void {
    this.#entries.set(key, loading);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_ENTRIES) this.#entries.delete(oldest!);
    // The callers see the failure; the next one asks anew.
    loading.catch(() => {
      if (this.#entries.get(key) === loading) this.#entries.delete(key);
    });
  }
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
