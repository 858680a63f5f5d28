// Who hears what happens in a session. A handler that fails before anyone can listen (`session_start`
// is told while the session is being opened) is not passed over in silence: the first who listens
// hears of it.

import type { SessionEvent } from "./session-event.ts";

export type SessionListener = (event: SessionEvent) => void;

/** More failures than these say nothing that the first ones did not. */
const MAX_UNHEARD = 20;

export class EventListeners {
  readonly #listeners = new Set<SessionListener>();
  readonly #unheard: SessionEvent[] = [];

  /** Returns the way to stop listening. */
  subscribe(listener: SessionListener): () => void {
    this.#listeners.add(listener);
    for (const event of this.#unheard.splice(0)) listener(event);
    return () => this.#listeners.delete(listener);
  }

  readonly emit: SessionListener = (event) => {
    const isUnheard = this.#listeners.size === 0 && event.type === "hook_error";
    if (isUnheard && this.#unheard.length < MAX_UNHEARD) this.#unheard.push(event);
    for (const listener of this.#listeners) listener(event);
  };

  clear(): void {
    this.#listeners.clear();
  }
}
