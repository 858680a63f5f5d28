// When everything that was set going has come to its end. A run's `agent_end` is not that moment if
// agents still work: each of their results is another run. `settled` is told once nothing runs, nobody
// works, and every result has been taken note of.

import type { ActiveEnd, ActiveSession } from "../../assembly/active-session.ts";
import { PENDING_WORK } from "../../feature-api/pending-work.ts";
import type { OutgoingEvent } from "./frame-writer.ts";
import type { SettledEvent } from "./protocol.ts";
import type { Runs } from "./runs.ts";

export interface SettlingOptions {
  active(): ActiveSession;
  runs: Pick<Runs, "current" | "isPrompting">;
  emit(event: OutgoingEvent): void;
}

export class Settling {
  readonly #options: SettlingOptions;
  /** Something was set going, and its end has not been told. */
  #isOpen = false;
  /** How the last run ended. */
  #end: ActiveEnd | undefined;
  #isWaiting = false;

  constructor(options: SettlingOptions) {
    this.#options = options;
  }

  /** How much goes on for the session, and will wake it. */
  get pending(): number {
    return this.#options.active().part(PENDING_WORK)?.count ?? 0;
  }

  /** A run, or an agent, has begun. */
  begun(): void {
    this.#isOpen = true;
  }

  ended(end: ActiveEnd): void {
    this.#isOpen = true;
    this.#end = end;
    this.look();
  }

  /** Something is over: it may have been the last. */
  look(): void {
    if (!this.#isOpen || this.#isWaiting) return;
    this.#isWaiting = true;
    void this.#whenQuiet().finally(() => {
      this.#isWaiting = false;
      this.#tell();
    });
  }

  async #whenQuiet(): Promise<void> {
    const active = this.#options.active();
    const { session } = active;
    await session.whenIdle();
    // Whoever began the run hears of its end first.
    await new Promise((resolve) => setImmediate(resolve));
    const pending = active.part(PENDING_WORK);
    if (!pending || pending.count === 0) return;
    await pending.whenDone();
    await session.whenIdle();
  }

  #tell(): void {
    const { active, runs, emit } = this.#options;
    if (!this.#isOpen) return;
    // What runs now has an end of its own, and looks again then.
    if (active().session.isBusy || runs.isPrompting || runs.current !== undefined) return;
    if (this.pending > 0) return this.look();
    this.#isOpen = false;
    const told: SettledEvent = { type: "settled", end: this.#end };
    emit({ ...told });
  }
}
