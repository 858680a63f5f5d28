// Notices a model that goes round in a circle: the same call with the same arguments and
// the same result again and again, or a short cycle of such calls. It is told first, then
// stopped. A result that differs is progress, whatever the call.

import { fingerprintOfJson } from "./fingerprint.ts";

export interface RepeatLimits {
  /** Rounds after which the model is told. */
  warnAfter: number;
  /** Rounds after which the run ends. */
  stopAfter: number;
}

/** Twice may be caution, three times is a habit; who was told three times will not listen. */
export const DEFAULT_REPEATS: RepeatLimits = { warnAfter: 3, stopAfter: 6 };
/** A-B-A-B and somewhat longer circles; beyond that, similar work looks like one. */
const MAX_CYCLE_CALLS = 4;

export interface Repetition {
  verdict: "warn" | "stop";
  /** Calls that make up one round. */
  cycle: number;
  rounds: number;
}

export class RepeatDetector {
  readonly #limits: RepeatLimits;
  readonly #window: number;
  readonly #recent: string[] = [];

  constructor(limits: RepeatLimits = DEFAULT_REPEATS) {
    this.#limits = limits;
    this.#window = limits.stopAfter * MAX_CYCLE_CALLS;
  }

  /** Calls in their order; `output` is a fingerprint of what the call gave. */
  observe(call: { name: string; arguments: unknown }, output: string): Repetition | undefined {
    this.#recent.push(`${call.name}:${fingerprintOfJson(call.arguments)}:${output}`);
    if (this.#recent.length > this.#window) this.#recent.shift();
    const { warnAfter, stopAfter } = this.#limits;
    let found: Repetition | undefined;
    for (let cycle = 1; cycle <= MAX_CYCLE_CALLS; cycle++) {
      const rounds = this.#rounds(cycle);
      if (rounds >= stopAfter) return { verdict: "stop", cycle, rounds };
      if (rounds >= warnAfter) found ??= { verdict: "warn", cycle, rounds };
    }
    return found;
  }

  /** Somebody else had a say: what comes now is not more of the same. */
  reset(): void {
    this.#recent.length = 0;
  }

  /** How often the last `cycle` calls stand in a row at the end. */
  #rounds(cycle: number): number {
    const { length } = this.#recent;
    let same = 0;
    // Before the first call there is none, and none equals no call.
    while (this.#recent[length - 1 - same] === this.#recent[length - 1 - same - cycle]) same++;
    return Math.floor(same / cycle) + 1;
  }
}

/** For the model, behind the result. */
export function repeatWarning({ cycle, rounds }: Repetition): string {
  const what = cycle === 1 ? "This call" : `This cycle of ${cycle} calls`;
  return `[${what} has now given the same result ${rounds} times in a row. Repeating it will not change that: do something else, or say what is in the way.]`;
}

/** Words that follow "the limit of". */
export function repeatLimit({ cycle, rounds }: Repetition): string {
  return cycle === 1
    ? `${rounds} equal calls with equal results in a row`
    : `${rounds} equal cycles of ${cycle} calls in a row`;
}
