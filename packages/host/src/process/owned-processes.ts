// What runs on this machine for which Tau: found by the mark that everything Tau starts carries.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { OWNER_VARIABLE } from "./reaper.ts";

export interface OwnedProcess {
  pid: number;
  parent: number;
  /** The Tau that started it. */
  owner: number;
  isOwnerAlive: boolean;
  /** Where its owner works, and since when, while it is alive. */
  ownerCwd: string | undefined;
  ownerStartedAt: number | undefined;
  cwd: string | undefined;
  /** Milliseconds since the epoch. */
  startedAt: number;
  command: string;
}

/** Undefined where the system does not tell. */
export function ownedProcesses(): OwnedProcess[] | undefined {
  if (process.platform !== "linux") return undefined;
  const bootedAt = bootTime();
  const found: OwnedProcess[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const one = look(pid, bootedAt);
    if (one) found.push(one);
  }
  return found.toSorted((a, b) => a.owner - b.owner || a.startedAt - b.startedAt);
}

function look(pid: number, bootedAt: number): OwnedProcess | undefined {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
    const mark = environment.split("\0").find((entry) => entry.startsWith(`${OWNER_VARIABLE}=`));
    if (mark === undefined) return undefined;
    const owner = Number.parseInt(mark.slice(OWNER_VARIABLE.length + 1), 10);
    const { state, parent, startedAt } = statusOf(pid, bootedAt);
    if (state === "Z") return undefined;
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean);
    return {
      pid,
      parent,
      owner,
      isOwnerAlive: isAlive(owner),
      ownerCwd: ifThere(() => readlinkSync(`/proc/${owner}/cwd`)),
      ownerStartedAt: ifThere(() => statusOf(owner, bootedAt).startedAt),
      cwd: readlinkSync(`/proc/${pid}/cwd`),
      startedAt,
      command: words.join(" "),
    };
  } catch (error) {
    // It ended meanwhile, or belongs to somebody else.
    if (typeof (error as { code?: unknown }).code === "string") return undefined;
    throw error;
  }
}

/** Of the kernel's clock in `/proc`, on every Linux that Tau runs on. */
const TICKS_PER_SECOND = 100;
/** Counted from the state, which follows the name. */
const START_FIELD = 19;

function statusOf(pid: number, bootedAt: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name may have blanks and brackets.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const sinceBootMs = (Number(fields[START_FIELD]) / TICKS_PER_SECOND) * 1000;
  return { state: fields[0]!, parent: Number(fields[1]), startedAt: bootedAt + sinceBootMs };
}

/** Milliseconds since the epoch. The time of a directory in `/proc` is that of the first look at it. */
function bootTime(): number {
  const line = /^btime (\d+)$/m.exec(readFileSync("/proc/stat", "utf8"));
  return Number(line?.[1] ?? 0) * 1000;
}

function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === "string") return undefined;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === "EPERM";
  }
}
