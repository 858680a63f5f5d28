// Time that runs out unless somebody does something.

import type { GuardClock } from "../guard-clock.ts";

const TICK_MS = 1000;

export interface CountdownOptions {
  clock: GuardClock;
  milliseconds: number;
  /** About once a second. */
  onTick(): void;
  onEnd(): void;
}

export class Countdown implements Disposable {
  readonly #options: CountdownOptions;
  #endsAt: number | undefined;
  #callOff: (() => void) | undefined;

  constructor(options: CountdownOptions) {
    this.#options = options;
    this.restart();
  }

  /** Undefined while it stands still. */
  get secondsLeft(): number | undefined {
    if (this.#endsAt === undefined) return undefined;
    return Math.max(0, Math.ceil((this.#endsAt - this.#options.clock.now()) / 1000));
  }

  restart(): void {
    const { clock, milliseconds } = this.#options;
    this.#endsAt = clock.now() + milliseconds;
    this.#wait();
  }

  pause(): void {
    this.#endsAt = undefined;
    this.#callOff?.();
  }

  [Symbol.dispose](): void {
    this.pause();
  }

  #wait(): void {
    const { clock, onTick, onEnd } = this.#options;
    this.#callOff?.();
    const left = this.#endsAt! - clock.now();
    this.#callOff = clock.after(Math.max(0, Math.min(left, TICK_MS)), () => {
      if (clock.now() >= this.#endsAt!) {
        this.pause();
        return onEnd();
      }
      onTick();
      this.#wait();
    });
  }
}
