// Cells in JavaScript and TypeScript: a process of the same runtime that Tau itself runs on, so
// that there is always one. It is started away from the session's directory, whose files would
// otherwise have a say in how it starts, and goes there before the first cell.

import { dirname, join } from "node:path";
import type { ProcessWrapper } from "../process/process-wrapper.ts";
import { Kernel } from "./kernel.ts";

export interface JavaScriptKernelOptions {
  /** Starts a program that calls `serveCells`. */
  command: readonly string[];
  cwd: string;
  /** What it runs in, if anything; asked each time a process is started. */
  wrapper?: () => Promise<ProcessWrapper | undefined>;
  env: Readonly<Record<string, string | undefined>>;
}

/** For running from source. */
export function cellsSourceCommand(): string[] {
  const source = join(import.meta.dir, "javascript", "serve-cells.ts");
  return [process.execPath, "--no-env-file", "--no-install", source];
}

export function createJavaScriptKernel(options: JavaScriptKernelOptions): Kernel {
  return new Kernel(async () => ({
    command: options.command,
    wrapper: await options.wrapper?.(),
    cwd: dirname(process.execPath),
    env: { ...options.env, DO_NOT_TRACK: "1", BUN_ENABLE_CRASH_REPORTING: "0" },
    boot: { cwd: options.cwd },
  }));
}
