// Processes that came out of a command and do not carry Tau's mark, because they cleared or overwrote
// their environment, as daemons do. Tau adopts what loses its parent, so that everything that was
// started for it stays below it; while commands run, it looks there for what has no mark, remembers it by
// process id and time of start, and tells the reaper.

import { childrenOf, descendantsOf, isZombie, readIfThere, startTimeOf } from "./process-tree.ts";
import { FREE_VARIABLE, OWNER_VARIABLE, tellReaper } from "./reaper.ts";
import { bury } from "./system-calls.ts";

/** A daemon detaches within milliseconds; later ones are rare. */
const FIRST_LOOK_MS = 10;
const MOST_BETWEEN_LOOKS_MS = 100;
const TURNS_BEFORE_BURIAL = 8;
const CERTAIN_LOOKS = 3;

const watches = new Set<StrayWatch>();
/** What was found, with its time of start. */
const strays = new Map<number, string>();
/** Children that have ended, and the looks they were found in. */
let zombies = new Map<number, number>();
let timer: ReturnType<typeof setTimeout> | undefined;
let pauseMs = FIRST_LOOK_MS;

/** For as long as a command runs. */
export class StrayWatch implements Disposable {
  readonly #found = new Map<number, string>();

  constructor() {
    if (process.platform !== "linux") return;
    watches.add(this);
    pauseMs = FIRST_LOOK_MS;
    clearTimeout(timer);
    timer = setTimeout(lookAgain, pauseMs);
    timer.unref();
  }

  /** Those that appeared while nothing else ran; whose they are could not be told otherwise. */
  alive(): number[] {
    if (process.platform === "linux") look(this);
    return [...this.#found].flatMap(([pid, start]) => (startTimeOf(pid) === start ? [pid] : []));
  }

  note(pid: number, start: string): void {
    this.#found.set(pid, start);
  }

  [Symbol.dispose](): void {
    if (!watches.has(this)) return;
    look();
    watches.delete(this);
    if (watches.size === 0) clearTimeout(timer);
  }
}

function lookAgain(): void {
  look();
  buryAdopted();
  if (watches.size === 0) return;
  pauseMs = Math.min(2 * pauseMs, MOST_BETWEEN_LOOKS_MS);
  timer = setTimeout(lookAgain, pauseMs);
  timer.unref();
}

/** `asking`: the command has ended, and whoever ran it looks after what it left. */
function look(asking?: StrayWatch): void {
  const below = descendantsOf(process.pid);
  const now = new Set(below);
  for (const pid of strays.keys()) if (!now.has(pid)) strays.delete(pid);
  // Each time anew: a process with the mark may become a program without it.
  for (const pid of below) if (!strays.has(pid) && isStray(pid)) meet(pid, asking);
}

function meet(pid: number, asking: StrayWatch | undefined): void {
  const start = startTimeOf(pid);
  if (start === undefined) return;
  strays.set(pid, start);
  tellReaper(`p ${pid} ${start}`);
  const [only = asking, ...others] = watches;
  if (only && others.length === 0) only.note(pid, start);
}

function isStray(pid: number): boolean {
  const environment = environmentOf(pid);
  if (environment === undefined || isZombie(pid)) return false;
  return !environment.includes(`${OWNER_VARIABLE}=`) && !environment.includes(`${FREE_VARIABLE}=`);
}

/**
 * Undefined for one that is gone, or is just becoming another program: for a moment it has neither
 * arguments nor an environment. What has arguments and, after that, still no environment has none.
 */
function environmentOf(pid: number): string | undefined {
  const read = (): string | undefined => readIfThere(`/proc/${pid}/environ`, "latin1");
  const first = read();
  if (first !== "") return first;
  for (let look = 0; look < CERTAIN_LOOKS; look++) {
    if (!readIfThere(`/proc/${pid}/cmdline`)) return undefined;
    const again = read();
    if (again !== "") return again;
  }
  return "";
}

/**
 * Nobody waits for the end of an adopted process. Those of our own are waited for as soon as the event
 * loop turns; only what is still there after several turns is adopted.
 */
function buryAdopted(): void {
  const ended = new Map<number, number>();
  for (const child of childrenOf(process.pid)) {
    if (!isZombie(child)) continue;
    const turns = (zombies.get(child) ?? 0) + 1;
    if (turns > TURNS_BEFORE_BURIAL) bury(child);
    else ended.set(child, turns);
  }
  zombies = ended;
}
