// Cells in Python: any interpreter from 3.8 on, without packages of its own. The kernel's side is
// Python text that is part of the program and sent over the channel; nothing is written to disk.

import { delimiter, join } from "node:path";
import type { ProcessWrapper } from "../process/process-wrapper.ts";
import { absoluteEntries } from "../process/program-on-path.ts";
import { findPython, type PythonQuery } from "./find-python.ts";
import { Kernel } from "./kernel.ts";
import { KernelStartError } from "./kernel-process.ts";
import bootstrap from "./python/bootstrap.py" with { type: "text" };
import channel from "./python/tau_channel.py" with { type: "text" };
import display from "./python/tau_display.py" with { type: "text" };
import execute from "./python/tau_execute.py" with { type: "text" };
import magics from "./python/tau_magics.py" with { type: "text" };
import prelude from "./python/tau_prelude.py" with { type: "text" };
import runner from "./python/tau_runner.py" with { type: "text" };

/** In the order in which they need one another. */
const MODULES = [
  ["tau_channel", channel],
  ["tau_display", display],
  ["tau_execute", execute],
  ["tau_prelude", prelude],
  ["tau_magics", magics],
  ["tau_runner", runner],
] as const;

export interface PythonKernelOptions extends PythonQuery {
  cwd: string;
  /** What it runs in, if anything; asked each time a process is started. */
  wrapper?: () => Promise<ProcessWrapper | undefined>;
}

export function createPythonKernel(options: PythonKernelOptions): Kernel {
  return new Kernel(async () => {
    const wrapper = await options.wrapper?.();
    const python = findPython(options);
    if (!python) throw new KernelStartError(missing(options));
    const { virtualEnv } = python;
    // A name such as `python3` may be a script of a version manager that starts others by name.
    const path = absoluteEntries(options.env.PATH);
    return {
      wrapper,
      command: [python.path, "-u", "-c", bootstrap],
      cwd: options.cwd,
      env: {
        ...options.env,
        PATH: path,
        ...(virtualEnv === undefined ? {} : activated(virtualEnv, path)),
        PYTHONIOENCODING: "utf-8",
        PYTHONUNBUFFERED: "1",
      },
      boot: { modules: MODULES },
    };
  });
}

function activated(directory: string, path: string): Record<string, string> {
  const programs = join(directory, process.platform === "win32" ? "Scripts" : "bin");
  return { VIRTUAL_ENV: directory, PATH: path ? `${programs}${delimiter}${path}` : programs };
}

function missing({ interpreter }: PythonKernelOptions): string {
  return interpreter
    ? `There is no Python at ${interpreter}: correct the setting python.interpreter.`
    : "There is no Python on this machine: install Python 3.8 or later, or name one with the setting python.interpreter.";
}
