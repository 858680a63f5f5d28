// Watches how much memory of its own a child process holds. Ripgrep keeps the longest line
// of a file in memory; one file without line breaks could otherwise take all there is.

import { readFile } from "node:fs/promises";
import { descendantsOf } from "../process/process-tree.ts";
import { ownedEnvironment } from "../process/reaper.ts";
import { systemCode } from "../storage-error.ts";

/** A common search needs some tens of megabytes. */
export const ENGINE_MEMORY_BYTES = 256 * 1024 * 1024;
/** Reading grows a buffer by less than 50 MB in this time. */
const PROC_INTERVAL_MS = 50;
/** Asking `ps` starts a process: seldom. */
const PS_INTERVAL_MS = 500;

/** Elsewhere memory must be bounded by the way files are read. */
export const canWatchMemory = process.platform === "linux" || process.platform === "darwin";

export function watchMemory(
  pid: number,
  limitBytes: number,
  onExceeded: () => void,
): { stop(): void } {
  const isLinux = process.platform === "linux";
  const measure = isLinux ? anonymousBytes : residentBytes;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = !canWatchMemory;
  const look = async (): Promise<void> => {
    const bytes = Math.max(...(await Promise.all(withConfined(pid).map(measure))));
    if (stopped) return;
    if (bytes > limitBytes) return onExceeded();
    plan();
  };
  const plan = (): void => {
    timer = setTimeout(() => void look(), isLinux ? PROC_INTERVAL_MS : PS_INTERVAL_MS);
    timer.unref();
  };
  if (!stopped) plan();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** What runs in a sandbox is below the process that made it. */
function withConfined(pid: number): number[] {
  return [pid, ...descendantsOf(pid)];
}

/** Without pages of mapped files, which the system takes back when it needs them. */
async function anonymousBytes(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch (error) {
    // It has ended between two looks.
    if (systemCode(error) === undefined) throw error;
    return 0;
  }
}

async function residentBytes(pid: number): Promise<number> {
  const ps = Bun.spawn(["/bin/ps", "-o", "rss=", "-p", String(pid)], {
    env: ownedEnvironment({}),
    stdout: "pipe",
    stderr: "ignore",
  });
  return Number((await ps.stdout.text()).trim()) * 1024;
}
