// Calls that run side by side end in any order; what is printed stays. They are printed in the order in
// which the model wrote them, which is the order of a resumed session: one that is done waits for those
// before it.

import { isEnded, type CallBlock } from "../../session/projection/block.ts";

export class CallOrder {
  readonly #print: (call: CallBlock) => void;
  /** Those that are not printed, by their id, in the order in which they came. */
  readonly #open = new Map<string, CallBlock>();
  readonly #printed = new Set<string>();

  constructor(print: (call: CallBlock) => void) {
    this.#print = print;
  }

  /** A call as it is now. */
  put(call: CallBlock): void {
    if (this.#printed.has(call.callId)) return;
    this.#open.set(call.callId, call);
    this.#advance();
  }

  /** It was never part of the reply. */
  remove(key: string): void {
    for (const [id, call] of this.#open) if (call.key === key) this.#open.delete(id);
    this.#advance();
  }

  /** Nothing is waited for any more. */
  finish(): void {
    for (const call of this.#open.values()) if (isEnded(call)) this.#print(call);
    this.clear();
  }

  clear(): void {
    this.#open.clear();
    this.#printed.clear();
  }

  #advance(): void {
    for (const [id, call] of this.#open) {
      if (!isEnded(call)) return;
      this.#open.delete(id);
      this.#printed.add(id);
      this.#print(call);
    }
  }
}
