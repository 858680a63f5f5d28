// Whether commands can be confined on this machine, and if not, what would have to change. Tried,
// not guessed: containers and hardened systems refuse in many ways.

import { programOnPath } from "../process/program-on-path.ts";
import { readFileSync } from "node:fs";
import { ownedEnvironment } from "../process/reaper.ts";
import { baseArguments } from "./sandbox-command.ts";

export type Preflight = { ok: true } | { ok: false; why: string; fix: string };

/** It starts one small program. */
const TIMEOUT_MS = 10_000;
const MAX_REASON_CHARACTERS = 300;

export interface PreflightOptions {
  /** The program; `bwrap` where absent. */
  program?: string;
  platform?: NodeJS.Platform;
}

export async function preflight(options: PreflightOptions = {}): Promise<Preflight> {
  const { program = "bwrap", platform = process.platform } = options;
  if (platform !== "linux") {
    return {
      ok: false,
      why: `there is no sandbox for ${platform}`,
      fix: "turn it off (sandbox.mode off), or work in a Linux container",
    };
  }
  let child: Bun.Subprocess<"ignore", "ignore", "pipe">;
  try {
    const found = programOnPath(program, process.env.PATH) ?? program;
    child = Bun.spawn([found, ...baseArguments("off"), "--", "true"], {
      env: ownedEnvironment(process.env),
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
      timeout: TIMEOUT_MS,
      killSignal: "SIGKILL",
    });
  } catch (error) {
    if (typeof (error as { code?: unknown }).code !== "string") throw error;
    return {
      ok: false,
      why: "bubblewrap (bwrap) is not installed",
      fix: "install the package bubblewrap",
    };
  }
  const [said] = await Promise.all([child.stderr.text(), child.exited]);
  if (child.exitCode === 0) return { ok: true };
  const why = said.trim().slice(0, MAX_REASON_CHARACTERS) || "bubblewrap did not finish in time";
  return { ok: false, why: `namespaces are not available here (${why})`, fix: namespaceFix() };
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
