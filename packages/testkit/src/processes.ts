// Finds processes, so that a test can prove that nothing was left behind. It reads /proc;
// other systems have no cheap way to see another process's environment, and get a typed
// refusal that lets a test skip visibly instead of passing blindly.

import { readdir, readFile } from "node:fs/promises";

export interface ProcessInfo {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** The kernel's letter: R, S, D, Z (zombie), T … */
  state: string;
  /** Arguments joined with spaces; the name in brackets when there are none. */
  command: string;
}

export class UnsupportedPlatform extends Error {
  override readonly name = "UnsupportedPlatform";

  constructor(platform: string) {
    super(`processes can be inspected on Linux only, through /proc; this is ${platform}`);
  }
}

export class StillRunning extends Error {
  override readonly name = "StillRunning";
  readonly processes: ProcessInfo[];

  constructor(processes: ProcessInfo[], timeoutMs: number) {
    const lines = processes.map(({ pid, state, command }) => `  ${pid} ${state} ${command}`);
    super(`still running after ${timeoutMs} ms:\n${lines.join("\n")}`);
    this.processes = processes;
  }
}

/** Whether the functions below work here; for `test.skipIf(!canInspectProcesses)`. */
export const canInspectProcesses = process.platform === "linux";

// A zombie holds no memory, no file and no port; it only waits for its parent to look.
const DEAD_STATES: ReadonlySet<string> = new Set(["Z", "X", "x"]);

// PF_KTHREAD of the kernel's task flags: threads of the kernel itself have no environment.
const KERNEL_THREAD_FLAG = 0x0020_0000;

interface ProcessRecord extends ProcessInfo {
  kernel: boolean;
}

// A process may end between listing and reading, and another user's is not ours to read.
const NOT_READABLE: ReadonlySet<string> = new Set(["ENOENT", "ESRCH", "EACCES", "EPERM"]);

async function readProcFile(pid: number, name: string): Promise<Buffer | undefined> {
  try {
    return await readFile(`/proc/${pid}/${name}`);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (NOT_READABLE.has(code)) return undefined;
    throw error;
  }
}

async function readProcess(pid: number): Promise<ProcessRecord | undefined> {
  const stat = (await readProcFile(pid, "stat"))?.toString("latin1");
  if (stat === undefined) return undefined;
  // The name is in parentheses and may itself hold spaces and parentheses.
  const nameEnd = stat.lastIndexOf(")");
  const name = stat.slice(stat.indexOf("(") + 1, nameEnd);
  const [state = "?", parent, group, session, , , flags] = stat.slice(nameEnd + 2).split(" ");
  const words = (await readProcFile(pid, "cmdline"))?.toString().split("\0").filter(Boolean) ?? [];
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    state,
    command: words.length > 0 ? words.join(" ") : `[${name}]`,
    kernel: (Number(flags) & KERNEL_THREAD_FLAG) !== 0,
  };
}

async function liveProcesses(): Promise<ProcessRecord[]> {
  if (!canInspectProcesses) throw new UnsupportedPlatform(process.platform);
  const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger);
  const found = await Promise.all(pids.map(readProcess));
  return found.filter(
    (info) => info !== undefined && !DEAD_STATES.has(info.state),
  ) as ProcessRecord[];
}

function withoutKernelMark({ kernel: _kernel, ...info }: ProcessRecord): ProcessInfo {
  return info;
}

/** Live processes for which `matches` holds. */
export async function findProcesses(
  matches: (info: ProcessInfo) => boolean,
): Promise<ProcessInfo[]> {
  return (await liveProcesses()).filter(matches).map(withoutKernelMark);
}

/** Live children of `pid`, their children, and so on; not the ones that were re-parented. */
export async function descendants(pid: number): Promise<ProcessInfo[]> {
  const all = await liveProcesses();
  const family = new Set([pid]);
  // Process ids wrap around, so a parent may come after its child in the list.
  for (let before = 0; before !== family.size;) {
    before = family.size;
    for (const info of all) if (family.has(info.parent)) family.add(info.pid);
  }
  return all.filter((info) => info.pid !== pid && family.has(info.pid)).map(withoutKernelMark);
}

/** A variable that only the processes of one test have. */
export interface EnvironmentMarker {
  name: string;
  value: string;
}

/**
 * Live processes started with the marker in their environment. It is inherited, so this
 * also finds what left its parent, process group and session. A program that is given
 * another environment is not found.
 */
export async function processesWithEnv(marker: EnvironmentMarker): Promise<ProcessInfo[]> {
  const wanted = `${marker.name}=${marker.value}`;
  const candidates = (await liveProcesses()).filter((info) => !info.kernel);
  const marked = await Promise.all(candidates.map((info) => hasEnvironmentEntry(info.pid, wanted)));
  return candidates.filter((_, index) => marked[index]).map(withoutKernelMark);
}

// The environment reads as empty in the instant in which exec swaps the image.
const EMPTY_READ_ATTEMPTS = 3;
const EMPTY_READ_PAUSE_MS = 1;

async function hasEnvironmentEntry(pid: number, wanted: string): Promise<boolean> {
  for (let attempt = 1; attempt <= EMPTY_READ_ATTEMPTS; attempt += 1) {
    const environment = await readProcFile(pid, "environ");
    if (environment === undefined) return false;
    if (environment.length > 0) return environment.toString().split("\0").includes(wanted);
    await Bun.sleep(EMPTY_READ_PAUSE_MS);
  }
  return false;
}

const GONE_TIMEOUT_MS = 5_000;
// The kernel tells nobody but the parent that a process has ended, so this one is polled.
const GONE_POLL_MS = 10;

/** Resolves when `find` finds nothing; throws `StillRunning`, naming them, when it still does. */
export async function waitUntilGone(
  find: () => Promise<ProcessInfo[]>,
  { timeoutMs = GONE_TIMEOUT_MS }: { timeoutMs?: number } = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const left = await find();
    if (left.length === 0) return;
    if (performance.now() >= deadline) throw new StillRunning(left, timeoutMs);
    await Bun.sleep(GONE_POLL_MS);
  }
}
