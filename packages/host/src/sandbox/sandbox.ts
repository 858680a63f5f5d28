// What commands run in. Where none is wanted or none can be had, that is said, and whoever asked
// decides; nothing runs unconfined in the belief that it is not.

import type { ShellWrapper } from "../shell/shell-session.ts";
import { preflight, type PreflightOptions } from "./preflight.ts";
import { SANDBOX_PROCESSES, sandboxCommand, type SandboxOptions } from "./sandbox-command.ts";

export type Sandbox =
  | {
      kind: "bubblewrap";
      /** The same command, confined. */
      wrap(argv: readonly string[]): string[];
      /** For a shell that lives longer than one command. */
      shellWrapper(): ShellWrapper;
    }
  | { kind: "none"; why: string; fix: string };

export async function openSandbox(
  options: SandboxOptions,
  machine: PreflightOptions = {},
): Promise<Sandbox> {
  const { program } = options;
  const checked = await preflight({ ...machine, program });
  if (!checked.ok) return { kind: "none", why: checked.why, fix: checked.fix };
  return {
    kind: "bubblewrap",
    wrap: (argv) => sandboxCommand(argv, options),
    shellWrapper: () => ({ argv: sandboxCommand([], options), processes: SANDBOX_PROCESSES }),
  };
}
