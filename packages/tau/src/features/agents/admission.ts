// Who may work now. As many agents as the settings allow at each depth, and no more than the machine has
// memory for, by what agents have really taken so far; the others wait in the order in which they came.
// Depths are counted apart: an agent that waits for those it started never keeps them from starting.

import { readFileSync } from "node:fs";
import { freemem } from "node:os";

/** Before any agent was measured. */
const FIRST_GUESS_BYTES = 8 * 1024 * 1024;
/** Left to the user's other programs, and to commands that agents run. */
const RESERVE_BYTES = 256 * 1024 * 1024;
/** While somebody waits for memory, it is looked at this often. */
const LOOK_AGAIN_MS = 500;

export interface MemoryProbe {
  /** What this process holds. */
  used(): number;
  /** What the machine could still give. */
  available(): number;
}

export interface Slot extends Disposable {
  readonly depth: number;
}

interface Waiting {
  depth: number;
  enter: (slot: Slot) => void;
}

export class Admission {
  readonly #limit: () => number;
  readonly #memory: MemoryProbe;
  readonly #working = new Map<number, number>();
  readonly #waiting: Waiting[] = [];
  #guess = FIRST_GUESS_BYTES;
  #usedAlone: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `limit`: at one depth; 0 is none. */
  constructor(limit: () => number, memory: MemoryProbe = SYSTEM_MEMORY) {
    this.#limit = limit;
    this.#memory = memory;
  }

  /** If nobody has to wait; undefined otherwise. */
  tryEnter(depth: number): Slot | undefined {
    const isFirst = this.#waiting.every((one) => one.depth !== depth);
    return isFirst && this.#hasPlace(depth) && this.#hasMemory() ? this.#slot(depth) : undefined;
  }

  /** Rejects with the signal's reason. */
  enter(depth: number, signal: AbortSignal): Promise<Slot> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Slot>();
    const one: Waiting = { depth, enter: resolve };
    this.#waiting.push(one);
    signal.addEventListener(
      "abort",
      () => {
        const at = this.#waiting.indexOf(one);
        if (at < 0) return;
        this.#waiting.splice(at, 1);
        reject(signal.reason as Error);
      },
      { once: true },
    );
    this.#admit();
    return promise;
  }

  /** For one who was idle and is spoken to: somebody waits for the answer. */
  enterNow(depth: number): Slot {
    return this.#slot(depth);
  }

  get working(): number {
    let sum = 0;
    for (const count of this.#working.values()) sum += count;
    return sum;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  #admit(): void {
    for (let at = 0; at < this.#waiting.length;) {
      const one = this.#waiting[at]!;
      if (!this.#hasPlace(one.depth)) at++;
      else if (!this.#hasMemory()) break;
      else {
        this.#waiting.splice(at, 1);
        one.enter(this.#slot(one.depth));
      }
    }
    this.#lookAgain();
  }

  #hasPlace(depth: number): boolean {
    const limit = this.#limit();
    return limit === 0 || (this.#working.get(depth) ?? 0) < limit;
  }

  /** One may always work: a machine that is short of memory is slow, but not stuck. */
  #hasMemory(): boolean {
    const { working } = this;
    if (working === 0) return true;
    this.#learn(working);
    return this.#memory.available() - RESERVE_BYTES > this.#guess;
  }

  /** What one takes is what this process has grown by, shared among those who work. */
  #learn(working: number): void {
    const grown = this.#memory.used() - (this.#usedAlone ?? this.#memory.used());
    if (grown > 0) this.#guess = Math.max(FIRST_GUESS_BYTES, grown / working);
  }

  #slot(depth: number): Slot {
    if (this.working === 0) this.#usedAlone = this.#memory.used();
    this.#working.set(depth, (this.#working.get(depth) ?? 0) + 1);
    let isHeld = true;
    return {
      depth,
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#working.set(depth, this.#working.get(depth)! - 1);
        this.#admit();
      },
    };
  }

  /** Memory comes back without a word. */
  #lookAgain(): void {
    clearTimeout(this.#timer);
    const isShort = this.#waiting.some(({ depth }) => this.#hasPlace(depth));
    if (!isShort) return;
    this.#timer = setTimeout(() => this.#admit(), LOOK_AGAIN_MS);
    this.#timer.unref();
  }
}

const SYSTEM_MEMORY: MemoryProbe = {
  used: () => process.memoryUsage.rss(),
  available: () => availableOnLinux() ?? freemem(),
};

/** What programs could have without swapping: caches count, which `freemem` leaves out. */
function availableOnLinux(): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const [, kilobytes] = /^MemAvailable:\s+(\d+) kB$/m.exec(
      readFileSync("/proc/meminfo", "utf8"),
    )!;
    return Number(kilobytes) * 1024;
  } catch {
    // A container may not show it.
    return undefined;
  }
}
