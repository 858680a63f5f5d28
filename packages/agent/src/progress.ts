// Thins a call's progress for whoever watches: the first update at once, then at most one
// an interval, and always the last. A command that prints a million lines costs its
// watchers twenty events a second.

import type { UpdateMode } from "./tool.ts";

/** As often as a screen can show; more only costs. */
export const UPDATE_INTERVAL_MS = 50;
/** What waits for the next update never holds more than a screenful of screens. */
const MAX_PENDING_CHARS = 16_384;

export type SendUpdate = (text: string, mode: UpdateMode) => void;

export class Progress {
  readonly #send: SendUpdate;
  #pending: { text: string; mode: UpdateMode } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #state: "open" | "closed" = "open";

  constructor(send: SendUpdate) {
    this.#send = send;
  }

  readonly update = (text: string, mode: UpdateMode = "append"): void => {
    if (this.#state === "closed") return;
    if (mode === "replace" || !this.#pending) this.#pending = { text, mode };
    else this.#pending.text = (this.#pending.text + text).slice(-MAX_PENDING_CHARS);
    if (this.#timer === undefined) this.#deliver();
  };

  /** Delivers what waits. Updates of a call that was left behind go nowhere from here on. */
  close(): void {
    clearTimeout(this.#timer);
    this.#state = "closed";
    this.#flush();
  }

  #deliver(): void {
    this.#flush();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#pending) this.#deliver();
    }, UPDATE_INTERVAL_MS);
  }

  #flush(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending) this.#send(pending.text, pending.mode);
  }
}
