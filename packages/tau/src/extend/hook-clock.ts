// How long each extension keeps the others waiting, by hook: what `/extensions` shows.

import { heapSize } from "bun:jsc";
import type { HookHandler, HookName } from "@tau/agent/hook-points";
import {
  ownClock,
  type HookHandlers,
  type OrderedHandler,
  type PersonTime,
} from "@tau/agent/hooks";

import { beginRunning } from "./running-now.ts";

export interface HookTime {
  readonly hook: string;
  readonly calls: number;
  readonly totalMs: number;
  readonly longestMs: number;
  readonly failures: number;
  /** Begun and not over. */
  readonly running: number;
  /** By how much the heap grew while it ran. */
  readonly grownBytes: number;
}

interface Watching {
  readonly person?: PersonTime;
  /** Told of what a handler throws, before anybody else is. */
  readonly failed?: (error: unknown) => void;
}

type Mutable = { -readonly [K in keyof HookTime]: HookTime[K] };

export class HookClock {
  readonly #rows = new Map<string, Map<string, Mutable>>();

  /** Of one extension, in the order in which they were first called. */
  of(extension: string): readonly HookTime[] {
    return [...(this.#rows.get(extension)?.values() ?? [])];
  }

  /** The same handlers, each watched; the time that a person takes to answer is not theirs. */
  watch(extension: string, handlers: HookHandlers, more: Watching = {}): HookHandlers {
    const whose = { extension, ...more };
    const watched = Object.entries(handlers).map(([hook, given]) => {
      const one = given as HookHandler<HookName> | OrderedHandler<HookName>;
      if (typeof one === "function") return [hook, this.#timed(whose, hook, one)];
      return [hook, { ...one, handle: this.#timed(whose, hook, one.handle) }];
    });
    return Object.fromEntries(watched) as HookHandlers;
  }

  #timed<K extends HookName>(
    { extension, person, failed }: Watching & { extension: string },
    hook: string,
    handle: HookHandler<K>,
  ): HookHandler<K> {
    const timed = (...call: Parameters<HookHandler<K>>): unknown => {
      const row = this.#row(extension, hook);
      // The heap and not the process: that one is asked of the system, which takes longer than most handlers.
      const before = heapSize();
      const clock = ownClock(person);
      row.calls++;
      row.running++;
      const done = beginRunning({ extension, hook });
      const end = (failure?: { error: unknown }): void => {
        const took = clock();
        done();
        row.running--;
        row.totalMs += took;
        row.longestMs = Math.max(row.longestMs, took);
        if (failure) {
          row.failures++;
          failed?.(failure.error);
        }
        row.grownBytes += Math.max(0, heapSize() - before);
      };
      try {
        const answer: unknown = handle(...call);
        if (!isPromise(answer)) {
          end();
          return answer;
        }
        answer.then(
          () => end(),
          (error: unknown) => end({ error }),
        );
        return answer;
      } catch (error) {
        end({ error });
        throw error;
      }
    };
    return timed as HookHandler<K>;
  }

  #row(extension: string, hook: string): Mutable {
    const rows = this.#rows.get(extension) ?? new Map<string, Mutable>();
    this.#rows.set(extension, rows);
    const known = rows.get(hook);
    if (known) return known;
    const row: Mutable = {
      hook,
      calls: 0,
      totalMs: 0,
      longestMs: 0,
      failures: 0,
      running: 0,
      grownBytes: 0,
    };
    rows.set(hook, row);
    return row;
  }
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as Promise<unknown> | undefined)?.then === "function";
}
