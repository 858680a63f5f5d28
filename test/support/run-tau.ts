// Runs the program as a user does: the launcher, an own home, nothing of the tester's
// environment. What comes back is all that a user would see.

import { join } from "node:path";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";

export const root = join(import.meta.dir, "..", "..");
export const launcher = join(root, "tau");

export interface RunOptions {
  cwd: string;
  home: IsolatedHome;
  env?: Record<string, string>;
  stdin?: string | "ignore";
  /** The program to run instead of the launcher, such as a built executable. */
  program?: readonly string[];
}

export interface RunResult {
  stdout: string;
  stderr: string;
  exitCode: number | null;
}

export function spawnTau(args: readonly string[], options: RunOptions) {
  return Bun.spawn([...(options.program ?? [launcher]), ...args], {
    cwd: options.cwd,
    env: { ...options.home.env, ...options.env },
    stdin:
      options.stdin === undefined || options.stdin === "ignore"
        ? "ignore"
        : Buffer.from(options.stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
}

export async function runTau(args: readonly string[], options: RunOptions): Promise<RunResult> {
  const child = spawnTau(args, options);
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  await child.exited;
  return { stdout, stderr, exitCode: child.exitCode };
}

export { isolatedHome };
