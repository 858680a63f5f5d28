// Sees to it that the log has the events that people were told of, in the order in which they
// saw them, without a write of their own in the course of a run: they wait for the next entry and
// go into the same write. Once something of a reply is seen, they wait until it is whole, because
// it began before them. What is left when a run is over is written then.

import type { HookErrorEvent } from "@tau/agent/event";
import type { KeptEvent, NewEntry } from "./entry.ts";
import { featureOf, tryToKeep } from "./event-table.ts";
import type { SessionEvent } from "./session-event.ts";

/** What the log keeps of an event that was told: the very object that its entry will hold. */
const kept = new WeakMap<SessionEvent, KeptEvent>();

/** Undefined for an event that is not kept, or not a session's own. */
export function keptFormOf(event: SessionEvent): KeptEvent | undefined {
  return kept.get(event);
}

export class EventKeeper {
  readonly #hide: <T>(value: T) => T;
  readonly #report: (event: HookErrorEvent) => void;
  /** Before whatever is written next. */
  #waiting: NewEntry[] = [];
  /** After the reply that is coming in. */
  #afterReply: NewEntry[] = [];
  /** Something of a reply is seen that is not whole. */
  #isReplying = false;

  /** `report`: a feature tells something that cannot be kept. */
  constructor(hide: <T>(value: T) => T, report: (event: HookErrorEvent) => void) {
    this.#hide = hide;
    this.#report = report;
  }

  /** True if there is something to write now. */
  see(event: SessionEvent): boolean {
    if (!this.#isReplying) this.#isReplying = showsReply(event);
    const { form, failure } = tryToKeep(event);
    const isDiscarded = event.type === "reply_discarded";
    const isOver = isDiscarded || event.type === "agent_end" || isReply(event);
    if (isOver) this.#settle();
    if (form) this.#keep(event, this.#hide(form));
    if (failure !== undefined) {
      const behaviour = featureOf(event.type) ?? "log";
      this.#report({ type: "hook_error", behaviour, hook: event.type, error: failure });
    }
    return this.#waiting.length > 0;
  }

  /** What stands before the next entry. */
  take(): NewEntry[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }

  /** What stands after the reply that is being written. */
  takeAfterReply(): NewEntry[] {
    const taken = this.#afterReply;
    this.#afterReply = [];
    this.#isReplying = false;
    return taken;
  }

  /** They could not be written. */
  giveBack(entries: readonly NewEntry[]): void {
    this.#waiting = [...entries, ...this.#waiting];
  }

  #keep(event: SessionEvent, form: KeptEvent): void {
    kept.set(event, form);
    const entry: NewEntry = { type: "event", event: form };
    // It stands for the reply itself: what was told since it began comes after it.
    const isFirst = event.type === "reply_broken_off" || !this.#isReplying;
    (isFirst ? this.#waiting : this.#afterReply).push(entry);
  }

  #settle(): void {
    this.#isReplying = false;
    this.#waiting.push(...this.#afterReply);
    this.#afterReply = [];
  }
}

function showsReply(event: SessionEvent): boolean {
  if (event.type !== "message_update") return false;
  const { event: part } = event;
  if (part.type === "toolcall_start") return true;
  const isWords = part.type === "text_delta" || part.type === "thinking_delta";
  return isWords && part.delta.trim() !== "";
}

function isReply(event: SessionEvent): boolean {
  return event.type === "message_end" && event.message.role === "assistant";
}
