// Ends everything that a program in a terminal has started. Signalling the process group
// alone is not enough: an interactive shell gives each job its own group, and a daemon
// leaves the session altogether, so members are found by session and by marker.

import {
  canInspectProcesses,
  findProcesses,
  processesWithEnv,
  waitUntilGone,
  type EnvironmentMarker,
  type ProcessInfo,
} from "./processes.ts";

export interface SessionIdentity {
  /** Process, group and session id of the program that the terminal started. */
  leader: number;
  leaderEnded: boolean;
  /** Put into the leader's environment, and inherited by what it starts. */
  marker: EnvironmentMarker;
}

/** Signals a process (or a group, when negative); false when it is gone already. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

/** Live processes of the session, wherever they went. Linux only. */
export async function sessionProcesses(identity: SessionIdentity): Promise<ProcessInfo[]> {
  const { leader, leaderEnded, marker } = identity;
  const members = await findProcesses((info) => info.session === leader);
  // A live leader after ours has ended is a stranger to whom the number was given anew.
  const reused = leaderEnded && members.some((info) => info.pid === leader);
  const marked = await processesWithEnv(marker);
  const all = reused ? marked : [...members, ...marked];
  return [...new Map(all.map((info) => [info.pid, info])).values()];
}

/** Kills the whole session and resolves when none of it is alive. */
export async function endSession(identity: SessionIdentity): Promise<void> {
  if (!canInspectProcesses) {
    signalProcess(-identity.leader, "SIGKILL");
    return;
  }
  // Killing again in each round catches what was forked between the look and the kill.
  await waitUntilGone(async () => {
    const left = await sessionProcesses(identity);
    for (const { pid } of left) signalProcess(pid, "SIGKILL");
    return left;
  });
}
