// Whether a descriptor is a terminal. Asking a stream builds the stream first, and with it
// most of Node's stream library: twice what a start costs. The kind of file behind the
// descriptor answers it for pipes, files and /dev/null; only a real candidate is asked.

import { fstatSync, readlinkSync, statSync } from "node:fs";
import { createRequire } from "node:module";

const NULL_DEVICE = process.platform === "win32" ? "\\\\.\\nul" : "/dev/null";

const known = new Map<0 | 1 | 2, boolean>();

/** It stays what it is for as long as the process lives: whoever writes asks each time. */
export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  const answer = known.get(descriptor) ?? look(descriptor);
  known.set(descriptor, answer);
  return answer;
}

function look(descriptor: 0 | 1 | 2): boolean {
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isCharacterDevice()) return false;
    if (stat.rdev === statSync(NULL_DEVICE).rdev) return false;
  } catch (error) {
    // A closed descriptor is none; a system without these questions is asked directly.
    if ((error as { code?: string }).code === "EBADF") return false;
  }
  const { isatty } = createRequire(import.meta.url)("node:tty") as typeof import("node:tty");
  return isatty(descriptor);
}

/** The device that standard input is, where the system tells; it names the window for a while. */
export function terminalDevice(): string | undefined {
  try {
    return readlinkSync("/proc/self/fd/0");
  } catch (error) {
    // Not a Linux: terminals there name themselves in the environment.
    if (typeof (error as { code?: unknown }).code === "string") return undefined;
    throw error;
  }
}
