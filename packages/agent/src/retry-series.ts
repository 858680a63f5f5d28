// The attempts at one reply: each is told before it is waited for, and how they ended is told
// once. The loop has one for each reply and a question beside the conversation has one of its
// own, so that neither counts the other's attempts.

import type { ModelFailure } from "@tau/ai/error";
import type { RecoveryEvent, RetryAction } from "./event.ts";
import { abortableSleep } from "./settle-after-abort.ts";

export interface RetryStep {
  action: RetryAction;
  delayMs: number;
  failure: ModelFailure;
  /** Asked next, as `provider/id`. */
  model: string;
}

export interface RetrySeriesOptions {
  emit: (event: RecoveryEvent) => void;
  signal: AbortSignal;
  /** What the reply is for; absent for the conversation's own. */
  purpose?: string;
  /** Nobody waits for the reply. */
  isQuiet?: boolean;
}

export class RetrySeries {
  readonly #options: RetrySeriesOptions;
  #attempts = 0;

  constructor(options: RetrySeriesOptions) {
    this.#options = options;
  }

  /** Tells what is being tried and waits as long as it says. False if it was aborted meanwhile. */
  async wait(step: RetryStep): Promise<boolean> {
    const { emit, signal } = this.#options;
    this.#attempts++;
    emit({ type: "auto_retry_start", attempt: this.#attempts, ...step, ...this.#whose() });
    if (step.delayMs > 0) await abortableSleep(step.delayMs, signal);
    return !signal.aborted;
  }

  /** Says nothing if the first attempt was enough. */
  end({ success }: { success: boolean }): void {
    if (this.#attempts === 0) return;
    const attempts = this.#attempts;
    this.#attempts = 0;
    this.#options.emit({ type: "auto_retry_end", success, attempts, ...this.#whose() });
  }

  #whose(): { purpose?: string; isQuiet?: true } {
    const { purpose, isQuiet } = this.#options;
    if (purpose === undefined) return {};
    return isQuiet ? { purpose, isQuiet } : { purpose };
  }
}
