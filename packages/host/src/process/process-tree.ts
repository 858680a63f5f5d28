// The processes below one, and ending them. On Linux they are found through /proc, by parent and
// by a mark in their environment, which also finds those that left their group and their
// session; elsewhere the group is all there is.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Between asking and ending. */
const KILL_GRACE_MS = 500;
const POLL_MS = 20;
/** One that was just being started may have lost the first: its shell's handler had it. */
const ASK_AGAIN_MS = 60;
/** A storm of forks is met with a few rounds; each finds what the one before let through. */
const MAX_ROUNDS = 25;

const hasProc = process.platform === "linux";

/** Direct children; empty where it cannot be known. */
export function childrenOf(pid: number): number[] {
  if (!hasProc) return [];
  return tasksOf(pid).flatMap((task) => {
    const text = readIfThere(`/proc/${pid}/task/${task}/children`);
    return text === undefined ? [] : text.split(" ").filter(Boolean).map(Number);
  });
}

/** Each thread has the children that it started; those that were adopted are some thread's. */
function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === "string") return [];
    throw error;
  }
}

/** Children, their children and so on; nearest first. */
export function descendantsOf(pid: number): number[] {
  const found: number[] = [];
  const pending = [pid];
  while (pending.length > 0) {
    const children = childrenOf(pending.shift()!);
    found.push(...children);
    pending.push(...children);
  }
  return found;
}

/** Live processes whose environment holds `NAME=value`, as it was when they were started. */
export function processesWithMark(mark: string): number[] {
  if (!hasProc) return [];
  const wanted = Buffer.from(`${mark}\0`);
  const found: number[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const environment = readIfThere(`/proc/${pid}/environ`, "latin1");
    if (environment !== undefined && Buffer.from(environment, "latin1").includes(wanted)) {
      found.push(pid);
    }
  }
  return found;
}

export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    const { code } = error as { code?: unknown };
    // Gone already, or another user's by now: neither is ours to end.
    if (code === "ESRCH" || code === "EPERM") return false;
    throw error;
  }
}

/** The process and everything in its group. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  return signalProcess(process.platform === "win32" ? pid : -pid, signal);
}

/**
 * Asks, waits, and ends what is still there. `find` is asked again each round, for what was
 * started meanwhile. Resolves when nothing is found any more.
 */
export async function endProcesses(
  find: () => readonly number[],
  graceMs: number = KILL_GRACE_MS,
): Promise<void> {
  const askedAt = new Map<number, number>();
  const ask = (): readonly number[] => {
    const there = find();
    const now = performance.now();
    for (const pid of there) {
      if (now - (askedAt.get(pid) ?? -Infinity) < ASK_AGAIN_MS) continue;
      signalProcess(pid, "SIGTERM");
      askedAt.set(pid, now);
    }
    return there;
  };
  let found = ask();
  const deadline = performance.now() + graceMs;
  while (found.length > 0 && performance.now() < deadline) {
    await Bun.sleep(POLL_MS);
    found = ask();
  }
  for (let round = 0; found.length > 0 && round < MAX_ROUNDS; round++) {
    for (const pid of found) signalProcess(pid, "SIGKILL");
    await Bun.sleep(POLL_MS);
    found = find().filter((pid) => !isZombie(pid));
  }
}

/** Ended, and only waiting for its parent to look. */
export function isZombie(pid: number): boolean {
  const stat = readIfThere(`/proc/${pid}/stat`);
  // The name is in brackets and may hold anything, brackets too.
  return (
    stat !== undefined && stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3) === "Z"
  );
}

/** As the system calls it, without its arguments, which may hold secrets. */
export function programOf(pid: number): string | undefined {
  return readIfThere(`/proc/${pid}/comm`)?.trim();
}

/** Whether its input is a pipe. */
export function readsPipe(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/fd/0`).startsWith("pipe:");
  } catch (error) {
    // Gone, or not ours to look at.
    if (typeof (error as { code?: unknown }).code === "string") return false;
    throw error;
  }
}

/** In the system's ticks: with it, a process id means one process for ever. */
export function startTimeOf(pid: number): string | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[START_TIME_FIELD];
}

/** Of what follows the name. */
const START_TIME_FIELD = 19;

export function readIfThere(
  path: string,
  encoding: "utf8" | "latin1" = "utf8",
): string | undefined {
  try {
    return readFileSync(path, encoding);
  } catch (error) {
    // Processes end while one looks; those of others may not be looked at.
    if (typeof (error as { code?: unknown }).code === "string") return undefined;
    throw error;
  }
}
