// What runs confined runs in one of these. Where none is wanted or none can be had, that is said, and
// whoever asked decides; nothing runs unconfined in the belief that it is not.

import type { ProcessWrapper } from "../process/process-wrapper.ts";
import {
  bubblewrap,
  entered,
  landlock,
  type ConfiningMechanism,
  type SandboxMachine,
} from "./mechanisms.ts";
import { sourcePrograms } from "./own-programs.ts";
import { preflight } from "./preflight.ts";
import type { ConfinedWork } from "./profiles.ts";
import type { SandboxPromises } from "./promises.ts";
import { settledOptions, type SandboxOptions } from "./sandbox-places.ts";

export interface ConfiningSandbox {
  kind: ConfiningMechanism["kind"];
  /** As they were found to hold. */
  promises: SandboxPromises;
  /** How many processes it puts above what it runs. */
  processes: number;
  /** The same command, confined; as a command line of the model's if nothing is said. */
  wrap(argv: readonly string[], work?: ConfinedWork): string[];
  /** For what is started again and again under one name: shells, kernels. */
  wrapper(work?: ConfinedWork): ProcessWrapper;
}

export type Sandbox = ConfiningSandbox | { kind: "none"; why: string; fix: string };

export async function openSandbox(
  wanted: SandboxOptions,
  machine: SandboxMachine = {},
): Promise<Sandbox> {
  const { platform = process.platform, kind = "auto", own = sourcePrograms() } = machine;
  if (platform !== "linux") {
    return {
      kind: "none",
      why: `there is no sandbox for ${platform}`,
      fix: "turn it off (sandbox.mode off), or work in a Linux container",
    };
  }
  const options = settledOptions(wanted);
  const mechanisms = [bubblewrap(options, machine.bubblewrap), landlock(options, own.runConfined)]
    .filter((mechanism) => kind === "auto" || mechanism.kind === kind)
    .map((mechanism) => entered(mechanism, machine.enter));
  const missing: { why: string; fix: string }[] = [];
  for (const mechanism of mechanisms) {
    const checked = await preflight(mechanism, options, own.trySandbox);
    if (checked.ok) return confining(mechanism, checked.promises);
    missing.push(checked);
  }
  // What would make the strongest one work is what to do.
  return { kind: "none", why: missing.map(({ why }) => why).join("; "), fix: missing[0]!.fix };
}

function confining(mechanism: ConfiningMechanism, promises: SandboxPromises): ConfiningSandbox {
  const { kind, processes } = mechanism;
  return {
    kind,
    promises,
    processes,
    wrap: (argv, work) => mechanism.wrap(argv, work),
    wrapper: (work) => ({
      // Each time anew: what must be hidden comes and goes.
      get argv() {
        return mechanism.wrap([], work);
      },
      processes,
      missedNetwork: promises.network === "on" ? undefined : mechanism.watchNetwork(),
    }),
  };
}
