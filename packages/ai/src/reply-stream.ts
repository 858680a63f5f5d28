// The consumer's side of a reply: an async sequence of events and a promise of the
// whole message. A consumer that lags sees merged deltas; the queue holds at most one
// delta a block between two other events, so it cannot outgrow the reply's structure.

import { isDelta, isTerminal, type DeltaEvent, type StreamEvent } from "./event.ts";
import type { AssistantMessage } from "./message.ts";

export class ReplyStream implements AsyncIterable<StreamEvent> {
  #queue: StreamEvent[] = [];
  #wake: (() => void) | undefined;
  #ended = false;
  #settle!: (message: AssistantMessage) => void;
  #result = new Promise<AssistantMessage>((resolve) => {
    this.#settle = resolve;
  });

  /** The producer's side. Nothing may follow the terminal event. */
  readonly push = (event: StreamEvent): void => {
    if (this.#ended) return;
    if (!(isDelta(event) && this.#merge(event))) {
      // A queued delta may be merged into, so the queue keeps its own copy.
      this.#queue.push(isDelta(event) ? { ...event } : event);
    }
    if (isTerminal(event)) {
      this.#ended = true;
      this.#settle(event.message);
    }
    this.#wake?.();
  };

  /** The whole message, also where it failed: then its `stopReason` and `error` say so. */
  result(): Promise<AssistantMessage> {
    return this.#result;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamEvent, void, undefined> {
    for (;;) {
      const ready = this.#queue;
      this.#queue = [];
      for (const event of ready) {
        yield event;
        if (isTerminal(event)) return;
      }
      if (this.#queue.length > 0) continue;
      // Someone else took the terminal event: nothing will ever come again.
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  #merge(event: DeltaEvent): boolean {
    for (let at = this.#queue.length - 1; at >= 0; at--) {
      const queued = this.#queue[at]!;
      if (!isDelta(queued)) return false;
      if (queued.index === event.index && queued.type === event.type) {
        queued.delta += event.delta;
        return true;
      }
    }
    return false;
  }
}
