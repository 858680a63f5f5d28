// The connection that a session keeps between two calls, where a wire can use one for several.
// At most one waits at a time, and only for a call that is like the last: another model, account
// or address begins anew.

/** A connection that nobody has used for so long is given back; the next call opens another. */
const KEPT_MS = 300_000;

export interface KeptConnection {
  readonly isOpen: boolean;
  close(): void;
}

export class KeptConnections {
  #waiting: { key: string; connection: KeptConnection } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #refused = new Set<string>();

  /** The one that was kept for calls like this; it is the caller's until it is kept again. */
  take(key: string): KeptConnection | undefined {
    const waiting = this.#waiting;
    this.#forget();
    if (waiting?.key === key && waiting.connection.isOpen) return waiting.connection;
    waiting?.connection.close();
    return undefined;
  }

  keep(key: string, connection: KeptConnection): void {
    const other = this.#waiting?.connection;
    this.#forget();
    if (other !== connection) other?.close();
    this.#waiting = { key, connection };
    this.#timer = setTimeout(() => this.close(), KEPT_MS);
    this.#timer.unref();
  }

  /** Whoever could not connect to an address does not make every later call wait for it. */
  refuse(address: string): void {
    this.#refused.add(address);
  }

  isRefused(address: string): boolean {
    return this.#refused.has(address);
  }

  close(): void {
    const waiting = this.#waiting;
    this.#forget();
    waiting?.connection.close();
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#waiting = undefined;
  }
}
