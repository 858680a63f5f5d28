// When files were last changed, for many of them quickly. A directory that has just been
// listed answers from memory on a local disk, and then asking directly costs half of going
// through the thread pool; where answers are slow, waiting must not hold up the program.

import { lstatSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { systemCode } from "../storage-error.ts";
import type { DirectoryPath } from "./list-directory.ts";

/** The program answers keys and streams in between. */
const SLICE_MS = 6;
/** A local disk needs some microseconds; a network some hundreds. */
const SLOW_ANSWER_MS = 0.25;
/** Asked directly before it is decided whether the disk is slow. */
const PROBES = 8;
const AT_ONCE = 64;

export class ModifiedTimes {
  #probes = 0;
  #probeMs = 0;
  #sliceStart = performance.now();

  /** In the order of `locations`; undefined for what has gone. */
  async of(locations: readonly DirectoryPath[]): Promise<(number | undefined)[]> {
    const times: (number | undefined)[] = [];
    for (const location of locations) {
      if (this.#isSlow()) return [...times, ...(await inParallel(locations.slice(times.length)))];
      if (performance.now() - this.#sliceStart > SLICE_MS) {
        await new Promise((resolve) => setImmediate(resolve));
        this.#sliceStart = performance.now();
      }
      times.push(this.#direct(location));
    }
    return times;
  }

  #direct(location: DirectoryPath): number | undefined {
    const isProbe = this.#probes < PROBES;
    const started = isProbe ? performance.now() : 0;
    const time = attempt(() => lstatSync(location).mtimeMs);
    if (isProbe) {
      this.#probes += 1;
      this.#probeMs += performance.now() - started;
    }
    return time;
  }

  #isSlow(): boolean {
    return this.#probeMs > SLOW_ANSWER_MS * PROBES;
  }
}

async function inParallel(locations: readonly DirectoryPath[]): Promise<(number | undefined)[]> {
  const times: (number | undefined)[] = Array.from({ length: locations.length });
  const rest = locations.entries();
  const work = async (): Promise<void> => {
    for (const [index, location] of rest) times[index] = await modifiedTime(location);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return times;
}

async function modifiedTime(location: DirectoryPath): Promise<number | undefined> {
  try {
    return (await lstat(location)).mtimeMs;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

function attempt(ask: () => number): number | undefined {
  try {
    return ask();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
