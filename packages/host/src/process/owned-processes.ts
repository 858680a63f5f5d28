// What runs on this machine for which Tau: found by the mark that everything Tau starts carries.

import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { OWNER_VARIABLE } from "./reaper.ts";

export interface OwnedProcess {
  pid: number;
  parent: number;
  /** The Tau that started it. */
  owner: number;
  isOwnerAlive: boolean;
  cwd: string | undefined;
  /** Milliseconds since the epoch. */
  startedAt: number;
  command: string;
}

/** Undefined where the system does not tell. */
export function ownedProcesses(): OwnedProcess[] | undefined {
  if (process.platform !== "linux") return undefined;
  const found: OwnedProcess[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const one = look(pid);
    if (one) found.push(one);
  }
  return found.toSorted((a, b) => a.owner - b.owner || a.startedAt - b.startedAt);
}

function look(pid: number): OwnedProcess | undefined {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
    const mark = environment.split("\0").find((entry) => entry.startsWith(`${OWNER_VARIABLE}=`));
    if (mark === undefined) return undefined;
    const owner = Number.parseInt(mark.slice(OWNER_VARIABLE.length + 1), 10);
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z") return undefined;
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean);
    return {
      pid,
      parent: Number(parent),
      owner,
      isOwnerAlive: isAlive(owner),
      cwd: readlinkSync(`/proc/${pid}/cwd`),
      startedAt: statSync(`/proc/${pid}`).ctimeMs,
      command: words.join(" "),
    };
  } catch (error) {
    // It ended meanwhile, or belongs to somebody else.
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
