// The few calls to the system about processes that Bun does not offer. Linux alone has all of them.

import { openCLibrary } from "../c-library.ts";

const SET_DUMPABLE = 4;
const SET_CHILD_SUBREAPER = 36;
const DO_NOT_WAIT = 1;
/** Of POSIX message queues, which next to nothing uses. */
const MESSAGE_QUEUE_LIMIT = 12;
/** Enough for the queues of whatever does use them; there are 200,000 numbers up to the usual limit. */
const LEAST_MARK = 600_000;
const USUAL_LIMIT = 819_200;

interface ProcessCalls {
  prctl(option: number, value: bigint): number;
  waitpid(pid: number, status: null, options: number): number;
  /** Of this process: now and at most; undefined if it cannot be had. */
  limits(resource: number): { soft: bigint; hard: bigint } | undefined;
  limit(resource: number, limits: { soft: bigint; hard: bigint }): boolean;
}

let calls: ProcessCalls | false | undefined;

function systemCalls(): ProcessCalls | false {
  calls ??= process.platform === "linux" ? find() : false;
  return calls;
}

function find(): ProcessCalls | false {
  const library = openCLibrary({
    prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
    waitpid: { args: ["i32", "ptr", "i32"], returns: "i32" },
    getrlimit: { args: ["i32", "ptr"], returns: "i32" },
    setrlimit: { args: ["i32", "ptr"], returns: "i32" },
  } as const);
  if (!library) return false;
  const { prctl, waitpid, getrlimit, setrlimit } = library.symbols;
  return {
    prctl: (option, value) => prctl(option, value, 0n, 0n, 0n),
    waitpid: (pid, status, options) => waitpid(pid, status, options),
    limits: (resource) => {
      const found = new BigUint64Array(2);
      if (getrlimit(resource, library.ptr(found)) !== 0) return undefined;
      return { soft: found[0]!, hard: found[1]! };
    },
    limit: (resource, { soft, hard }) =>
      setrlimit(resource, library.ptr(BigUint64Array.of(soft, hard))) === 0,
  };
}

/** Processes whose parents end become children of this one, instead of the system's first. */
export function adoptOrphans(): boolean {
  const system = systemCalls();
  return system !== false && system.prctl(SET_CHILD_SUBREAPER, 1n) === 0;
}

/**
 * What this process has in its environment and memory, keys above all, cannot be read by other
 * processes of the same user any more, such as the commands that it runs.
 */
export function closeToOthers(): boolean {
  const system = systemCalls();
  return system !== false && system.prctl(SET_DUMPABLE, 0n) === 0;
}

/** Takes note of the end of an adopted process, which nobody else waits for. */
export function bury(pid: number): void {
  const system = systemCalls();
  if (system !== false) system.waitpid(pid, null, DO_NOT_WAIT);
}

/**
 * A mark that every process below this one inherits, whatever becomes of its environment, its
 * session and its parents: an odd limit of something that nobody uses. Undefined if it cannot be set.
 */
export function markByLimit(): number | undefined {
  const system = systemCalls();
  const found = system && system.limits(MESSAGE_QUEUE_LIMIT);
  if (!system || !found) return undefined;
  const most = found.hard < BigInt(USUAL_LIMIT) ? Number(found.hard) : USUAL_LIMIT;
  const room = most - LEAST_MARK;
  if (room < 2) return undefined;
  const mark = LEAST_MARK + (crypto.getRandomValues(new Uint32Array(1))[0]! % (room - 1));
  const { hard } = found;
  return system.limit(MESSAGE_QUEUE_LIMIT, { soft: BigInt(mark), hard }) ? mark : undefined;
}
