// Sees to it that the log has the events that people were told of, in the order in which they
// saw them, without a write of their own in the course of a run: they wait for the next entry and
// go into the same write. While a reply comes in, they wait until it is whole, because it began
// before them. What is left when a run is over is written then.

import type { KeptEvent, NewEntry } from "./entry.ts";
import { keepEvent } from "./event-table.ts";
import type { SessionEvent } from "./session-event.ts";

export class EventKeeper {
  readonly #hide: <T>(value: T) => T;
  /** Before whatever is written next. */
  #waiting: NewEntry[] = [];
  /** Behind the reply that is coming in. */
  #behindReply: NewEntry[] = [];
  #isReplying = false;

  constructor(hide: <T>(value: T) => T) {
    this.#hide = hide;
  }

  /** True if there is something to write now. */
  see(event: SessionEvent): boolean {
    if (event.type === "message_start") this.#isReplying = true;
    const kept = keepEvent(event);
    const isDiscarded = event.type === "reply_discarded";
    const isOver = isDiscarded || event.type === "agent_end" || isReply(event);
    if (isOver) this.#settle();
    if (kept) this.#keep(kept);
    return this.#waiting.length > 0;
  }

  /** What stands before the next entry. */
  take(): NewEntry[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }

  /** What stands behind the reply that is being written. */
  takeBehindReply(): NewEntry[] {
    const taken = this.#behindReply;
    this.#behindReply = [];
    this.#isReplying = false;
    return taken;
  }

  /** They could not be written. */
  giveBack(entries: readonly NewEntry[]): void {
    this.#waiting = [...entries, ...this.#waiting];
  }

  #keep(kept: KeptEvent): void {
    const entry: NewEntry = { type: "event", event: this.#hide(kept) };
    (this.#isReplying ? this.#behindReply : this.#waiting).push(entry);
  }

  #settle(): void {
    this.#isReplying = false;
    this.#waiting.push(...this.#behindReply);
    this.#behindReply = [];
  }
}

function isReply(event: SessionEvent): boolean {
  return event.type === "message_end" && event.message.role === "assistant";
}
