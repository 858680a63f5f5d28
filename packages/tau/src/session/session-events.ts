// Who is told what happens in a session: listeners of events, and listeners of the entries that
// have become durable. What people were told goes into the log on the way.

import type { Origin } from "@tau/agent/judge-call";
import type { SessionEntry } from "./entry.ts";
import { brokenReply } from "./broken-reply.ts";
import { EventKeeper } from "./event-keeper.ts";
import { EventListeners } from "./event-listeners.ts";
import type { SessionEvent, SessionListener } from "./session-event.ts";
import { ThinkingClock } from "./thinking-clock.ts";

export interface EventPorts {
  /** Something runs, and will write. */
  isBusy(): boolean;
  /** Writes what waits. */
  flush(): Promise<void>;
  background(work: () => Promise<void>): void;
}

type EntryReader = (entries: readonly SessionEntry[]) => void;

export class SessionEvents {
  readonly keeper: EventKeeper;
  readonly thinking = new ThinkingClock();
  readonly #listeners: EventListeners;
  readonly #readers = new Set<EntryReader>();
  readonly #ports: EventPorts;

  constructor(session: { origin: Origin; hide: <T>(value: T) => T }, ports: EventPorts) {
    this.keeper = new EventKeeper(session.hide, (event) => this.#emit(event));
    this.#listeners = new EventListeners(() => session.origin);
    this.#ports = ports;
  }

  /** Returns the way to stop listening, as the next one. */
  subscribe(listener: SessionListener, as?: "audience" | "part"): () => void {
    return this.#listeners.subscribe(listener, as);
  }

  onAppended(listener: EntryReader): () => void {
    this.#readers.add(listener);
    return () => this.#readers.delete(listener);
  }

  readonly emit = (event: SessionEvent): void => {
    const broken = event.type === "reply_discarded" && brokenReply(event.message, this.thinking);
    if (broken) this.#emit({ type: "reply_broken_off", ...broken });
    this.#emit(event);
  };

  readonly #emit = (event: SessionEvent): void => {
    this.thinking.see(event);
    const isWaiting = this.keeper.see(event);
    this.#tell(event);
    // In a run they go with what it writes; otherwise nothing would take them along.
    if (isWaiting && !this.#ports.isBusy()) this.#ports.background(() => this.flush());
  };

  /** What waits is on disk when this resolves, or somebody was told that it is not. */
  async flush(): Promise<void> {
    try {
      await this.#ports.flush();
    } catch (error) {
      // Told, and not kept: a log that cannot be written would be told of that for ever.
      this.#tell({ type: "hook_error", behaviour: "log", hook: "event", error });
    }
  }

  appended(entries: readonly SessionEntry[]): void {
    for (const reader of this.#readers) reader(entries);
  }

  clear(): void {
    this.#listeners.clear();
    this.#readers.clear();
  }

  #tell(event: SessionEvent): void {
    this.#listeners.emit(event);
  }
}
