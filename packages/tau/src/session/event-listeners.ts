// Who hears what happens in a session. A handler that fails before anyone can listen (`session_start`
// is told while the session is being opened) is not passed over in silence: the first who listens
// hears of it. Parts of the session listen too, but they are nobody who could tell a person.

import type { Origin } from "@tau/agent/judge-call";
import type { SessionEvent, SessionListener } from "./session-event.ts";

/** More failures than these say nothing that the first ones did not. */
const MAX_UNHEARD = 20;

export class EventListeners {
  readonly #listeners = new Set<SessionListener>();
  readonly #parts = new Set<SessionListener>();
  readonly #unheard: [SessionEvent, Origin][] = [];
  readonly #origin: () => Origin;

  /** `origin`: what events are marked with that come without a mark. */
  constructor(origin: () => Origin) {
    this.#origin = origin;
  }

  /** Returns the way to stop listening. */
  subscribe(listener: SessionListener, as: "audience" | "part" = "audience"): () => void {
    this.#listeners.add(listener);
    if (as === "part") {
      this.#parts.add(listener);
      return () => this.#listeners.delete(listener) && this.#parts.delete(listener);
    }
    for (const told of this.#unheard.splice(0)) listener(...told);
    return () => this.#listeners.delete(listener);
  }

  readonly emit = (event: SessionEvent, origin: Origin = this.#origin()): void => {
    const hasAudience = this.#listeners.size > this.#parts.size;
    const isUnheard = !hasAudience && event.type === "hook_error";
    if (isUnheard && this.#unheard.length < MAX_UNHEARD) this.#unheard.push([event, origin]);
    for (const listener of this.#listeners) listener(event, origin);
  };

  clear(): void {
    this.#listeners.clear();
    this.#parts.clear();
  }
}
