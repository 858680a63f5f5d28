// The ways to confine a process, strongest first, and what to do on a machine that does not let them.

import { readFileSync } from "node:fs";
import type { ProcessWrapper } from "../process/process-wrapper.ts";
import { BUBBLEWRAP_PROCESSES, bubblewrapCommand } from "./bubblewrap-command.ts";
import { networkWatch } from "./missed-network.ts";
import type { OwnPrograms } from "./own-programs.ts";
import type { Mechanism } from "./preflight.ts";
import type { ConfinedWork } from "./profiles.ts";
import type { SandboxOptions } from "./sandbox-places.ts";

export interface SandboxMachine {
  platform?: NodeJS.Platform;
  /** The strongest that works if absent. */
  kind?: "auto" | Mechanism["kind"];
  /** The bubblewrap program; `bwrap` on the PATH if absent. */
  bubblewrap?: string;
  /** From source if absent. */
  own?: OwnPrograms;
  /** What all of it runs in, such as the namespace of an isolated tree. */
  enter?: ProcessWrapper;
}

export interface ConfiningMechanism extends Mechanism {
  /** How many processes it puts above what it runs, each with the next as its first child. */
  processes: number;
  wrap(argv: readonly string[], work?: ConfinedWork): string[];
  /** Without a network: who has wanted one. */
  watchNetwork(): NonNullable<ProcessWrapper["missedNetwork"]>;
}

const COMMANDS: ConfinedWork = { profile: "commands" };

export function bubblewrap(options: SandboxOptions, program?: string): ConfiningMechanism {
  return {
    kind: "bubblewrap",
    watchNetwork: networkWatch,
    processes: BUBBLEWRAP_PROCESSES,
    wrap: (argv, work = COMMANDS) => bubblewrapCommand(argv, { options, program }, work),
    explain: (said) =>
      said === ""
        ? { why: "bubblewrap (bwrap) is not installed", fix: "install the package bubblewrap" }
        : { why: `namespaces are not available here (${said})`, fix: namespaceFix() },
  };
}

export function landlock(
  options: SandboxOptions,
  runConfined: readonly string[],
): ConfiningMechanism {
  return {
    kind: "landlock",
    // Calls that are refused leave no trace.
    watchNetwork: () => () => "unknown",
    processes: 0,
    wrap: (argv, work = COMMANDS) => [...runConfined, JSON.stringify({ options, work }), ...argv],
    explain: (said) => ({
      why: `Landlock is not available here (${said || "it did not start"})`,
      fix: "use Linux 6.2 or newer with Landlock, or install the package bubblewrap",
    }),
  };
}

/** The same inside of what somebody else has made. */
export function entered(
  mechanism: ConfiningMechanism,
  enter: ProcessWrapper | undefined,
): ConfiningMechanism {
  if (!enter) return mechanism;
  return {
    ...mechanism,
    processes: enter.processes + mechanism.processes,
    wrap: (argv, work) => [...enter.argv, ...mechanism.wrap(argv, work)],
  };
}

/** Switches of the kernel that forbid what bubblewrap does; the first that does is named. */
const SWITCHES: readonly { name: string; forbids: string; fix: string }[] = [
  {
    name: "kernel/unprivileged_userns_clone",
    forbids: "0",
    fix: "allow user namespaces: sudo sysctl kernel.unprivileged_userns_clone=1",
  },
  {
    name: "user/max_user_namespaces",
    forbids: "0",
    fix: "allow user namespaces: sudo sysctl user.max_user_namespaces=10000",
  },
  {
    name: "kernel/apparmor_restrict_unprivileged_userns",
    forbids: "1",
    fix: "allow them for bubblewrap with an AppArmor profile, or sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0",
  },
];

const CONTAINER_FIX =
  "in a container, allow namespaces (Docker: --security-opt seccomp=unconfined --security-opt systempaths=unconfined), or turn the sandbox off: the container already isolates commands";

function namespaceFix(): string {
  const found = SWITCHES.find(({ name, forbids }) => valueOf(name) === forbids);
  return found?.fix ?? CONTAINER_FIX;
}

function valueOf(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name}`, "utf8").trim();
  } catch (error) {
    // Not every kernel has every switch.
    if (typeof (error as { code?: unknown }).code === "string") return undefined;
    throw error;
  }
}
