// Where an agent's things are: beside its conversation's log, in the directory of what that one keeps.
// A conversation that is kept nowhere keeps its agents in memory.

import { join } from "node:path";
import { artifactDirectory } from "../../session/artifacts/artifact-name.ts";
import type { SessionLog } from "../../session/session-log.ts";

export interface AgentFiles {
  readonly directory: string;
  log(id: string): string;
  /** What it handed in, as it is read by others. */
  output(id: string): string;
  patch(id: string): string;
}

/** Of Tau's own directory: working trees of isolated agents. */
export const TREES = "trees";

const LOG = /^([A-Za-z0-9_.-]+)\.jsonl$/;

/** Of the user's own session. */
export function agentFiles({ path }: Pick<SessionLog, "path">): AgentFiles | undefined {
  if (path === undefined) return undefined;
  const directory = join(artifactDirectory(path), "agents");
  return {
    directory,
    log: (id) => join(directory, `${id}.jsonl`),
    output: (id) => join(directory, `${id}.md`),
    patch: (id) => join(directory, `${id}.patch`),
  };
}

/** Undefined for everything else that lies there. */
export function agentOfLog(fileName: string): string | undefined {
  return LOG.exec(fileName)?.[1];
}
