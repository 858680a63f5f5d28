// The clock and the off switch of one model call: the caller's abort and a silence that
// lasts too long end it the same way, and both are told apart afterwards.

import type { Model } from "./model.ts";

/** Prefill of a long context takes minutes on some hosts. */
const FIRST_EVENT_TIMEOUT_MS = 300_000;
/** Once a reply runs, even a slow host sends something (or a keep-alive) within this. */
const IDLE_TIMEOUT_MS = 120_000;
/**
 * How long comments and other signs of life may stand in for the reply. Queues send them for minutes; a
 * server that has nothing else to say any more must not hold a session for ever.
 */
const KEEP_ALIVE_MS = 300_000;
/**
 * How long the end of the body is waited for behind a complete reply. A body read to its
 * end leaves the connection for the next call, which saves it a handshake.
 */
const DRAIN_MS = 250;

export interface WatchOptions {
  signal?: AbortSignal;
  firstEventTimeoutMs?: number;
  idleTimeoutMs?: number;
  /** Without an event, whatever else arrives. */
  keepAliveMs?: number;
}

/** The one abort signal of a call: the caller's wish, or a silence that lasted too long. */
export class CallWatch {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #idleMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #keepAliveMs: number;
  #silentMs: number;
  #frameAt = performance.now();
  timedOutAfterMs: number | undefined;
  /** Something did come until then, but nothing of a reply. */
  onlyLived = false;

  constructor(model: Model, options: WatchOptions) {
    this.#caller = options.signal;
    const idleMs = patience(model, "streamIdleTimeoutMs");
    this.#idleMs = idleMs ?? options.idleTimeoutMs ?? IDLE_TIMEOUT_MS;
    // Unless somebody wants it, signs of life never count for less than silence does.
    this.#keepAliveMs =
      patience(model, "keepAliveTimeoutMs") ??
      Math.max(options.keepAliveMs ?? KEEP_ALIVE_MS, idleMs ?? 0);
    this.#silentMs =
      patience(model, "firstEventTimeoutMs") ??
      options.firstEventTimeoutMs ??
      FIRST_EVENT_TIMEOUT_MS;
    if (this.#caller?.aborted) this.#onCallerAbort();
    else this.#caller?.addEventListener("abort", this.#onCallerAbort, { once: true });
    this.#timer = setTimeout(this.#onSilence, this.#silentMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get callerAborted(): boolean {
    return this.#caller?.aborted ?? false;
  }

  /** Called per network chunk, so it must not allocate a timer each time. */
  sawBytes(): void {
    if (performance.now() - this.#frameAt > this.#keepAliveMs) {
      this.timedOutAfterMs = this.#keepAliveMs;
      this.onlyLived = true;
      this.#controller.abort();
      return;
    }
    if (this.#silentMs === this.#idleMs && this.#timer && "refresh" in this.#timer) {
      this.#timer.refresh();
      return;
    }
    clearTimeout(this.#timer);
    this.#silentMs = this.#idleMs;
    this.#timer = setTimeout(this.#onSilence, this.#idleMs);
  }

  sawFrame(): void {
    this.#frameAt = performance.now();
  }

  /** The reply is complete: a server that keeps the socket open is cut off soon. */
  drain(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onSilence, DRAIN_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#onCallerAbort);
    // Also closes a socket that the server left open behind a finished reply.
    this.#controller.abort();
  }

  readonly #onCallerAbort = (): void => this.#controller.abort(this.#caller?.reason);

  readonly #onSilence = (): void => {
    this.timedOutAfterMs = this.#silentMs;
    this.#controller.abort();
  };
}

/** Hosts known to fall silent while they think say so in their row; users know theirs. */
function patience(
  { quirks }: Model,
  name: "streamIdleTimeoutMs" | "firstEventTimeoutMs" | "keepAliveTimeoutMs",
): number | undefined {
  const ms = quirks?.[name];
  return typeof ms === "number" && ms > 0 ? ms : undefined;
}
