// What a command on another machine would do, for whoever gives consent: nothing there is the project,
// and what is sent to it has left this machine.

import { posix } from "node:path";
import type { CallAssessment } from "@tau/agent/tool";
import { guardFrom } from "../bash/guard-from.ts";
import { namedHosts } from "../named-hosts.ts";
import { withReason } from "../read-secrets.ts";
import type { Workspace } from "../workspace.ts";

export interface RemoteParams {
  host: string;
  command: string;
  cwd?: string;
}

export async function assessRemote(
  { secrets }: Workspace,
  { host, command, cwd }: RemoteParams,
): Promise<CallAssessment> {
  const [{ classifyShellLine }, { remoteContext }] = await Promise.all([
    import("@tau/host/shell-line/classify-shell-line"),
    import("@tau/host/shell-line/remote-context"),
  ]);
  const context = remoteContext();
  const { home } = context;
  const directory = cwd === undefined ? home : posix.resolve(home, cwd.replace(/^~(?=\/|$)/, home));
  const judgement = classifyShellLine(command, { ...context, cwd: directory });
  const isGuarded = judgement.class === "guarded" || judgement.class === "unknown";
  // Nobody knows what the home is called there.
  const reason = guardFrom(judgement).replaceAll(home, "~");
  // In another directory it deletes something else: as if the line began with it.
  const lines = isGuarded && cwd !== undefined ? [`cd ${cwd}`, command.trim()] : [command.trim()];
  const assessment: CallAssessment = {
    tier: "exec",
    // By host first, so that one rule can be for all that is done there: `ssh(build: *)`.
    subjects: lines.map((line) => `${host}: ${line}`),
    hosts: [host, ...namedHosts(judgement.commands)],
    guard: isGuarded ? `${reason}, on ${host}` : undefined,
    exact: isGuarded ? [`${host}: ${lines.join(" && ")}`] : undefined,
  };
  return withReason(assessment, secrets.reasonAgainst(`can send data to ${host}`));
}
