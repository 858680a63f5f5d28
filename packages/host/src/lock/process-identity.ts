// Which process wrote something, so that another can tell later whether it is still there.
// A process number alone does not say: numbers are reused, and mean nothing on another
// machine or in another container.

import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";

export interface ProcessIdentity {
  pid: number;
  host: string;
  /** When the process began, in the kernel's own count; tells a reused number. */
  start?: string;
  /** Which boot of the machine. */
  boot?: string;
  /** Which name space of process numbers: containers have their own. */
  space?: string;
}

export interface Processes {
  self(): Promise<ProcessIdentity>;
  /** "unknown" where this process cannot see that one. */
  stateOf(process: ProcessIdentity): Promise<"alive" | "gone" | "unknown">;
}

const BOOT_ID_PATH = "/proc/sys/kernel/random/boot_id";
const PID_SPACE_PATH = "/proc/self/ns/pid";

/** Other systems have no /proc: there the number alone decides. */
async function fromProc(read: () => Promise<string>): Promise<string | undefined> {
  if (process.platform !== "linux") return undefined;
  try {
    return (await read()).trim();
  } catch (error) {
    // Hidden by the system (hidepid), or the process has gone: not known either way.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

interface ProcessStat {
  state: string;
  start: string;
}

const START_FIELD = 19;

async function processStat(pid: number): Promise<ProcessStat | undefined> {
  const text = await fromProc(() => readFile(`/proc/${pid}/stat`, "utf8"));
  // The name in parentheses may hold spaces and parentheses of its own.
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state] = fields ?? [];
  const start = fields?.[START_FIELD];
  return state === undefined || start === undefined ? undefined : { state, start };
}

async function describeSelf(): Promise<ProcessIdentity> {
  const identity: ProcessIdentity = { pid: process.pid, host: hostname() };
  const start = (await processStat(process.pid))?.start;
  const boot = await fromProc(() => readFile(BOOT_ID_PATH, "utf8"));
  const space = await fromProc(() => readlink(PID_SPACE_PATH));
  if (start !== undefined) identity.start = start;
  if (boot !== undefined) identity.boot = boot;
  if (space !== undefined) identity.space = space;
  return identity;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, but somebody else's.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

async function stateOf(
  other: ProcessIdentity,
  self: ProcessIdentity,
): Promise<"alive" | "gone" | "unknown"> {
  if (other.host !== self.host) return "unknown";
  if (differ(other.boot, self.boot)) return "gone";
  if (differ(other.space, self.space)) return "unknown";
  if (!exists(other.pid)) return "gone";
  const now = await processStat(other.pid);
  // A zombie has let go of everything but its number.
  if (now?.state === "Z" || now?.state === "X") return "gone";
  return differ(other.start, now?.start) ? "gone" : "alive";
}

export function systemProcesses(): Processes {
  let self: Promise<ProcessIdentity> | undefined;
  const own = (): Promise<ProcessIdentity> => (self ??= describeSelf());
  return { self: own, stateOf: async (other) => stateOf(other, await own()) };
}
