// The agents of sessions, from outside: what their logs say, and whether a Tau has them open. Nothing is
// opened for writing, and no lock is taken.

import { readdir } from "node:fs/promises";
import { systemProcesses } from "@tau/host/lock/process-identity";
import { systemCode } from "@tau/host/storage-error";
import type { AgentEnd } from "../../feature-api/agent-view.ts";
import type { SessionInfo } from "../../session/listing/session-info.ts";
import { openSession } from "../../session/log/open-session.ts";
import { isLocked } from "../../session/log/session-lock.ts";
import type { SessionStore } from "../../session/session-store.ts";
import { agentFiles, agentOfLog } from "./agent-files.ts";
import { readAgentLog } from "./read-agent-log.ts";

export interface ListedAgent {
  /** The session's id. */
  session: string;
  id: string;
  parent: string;
  kind: string;
  description?: string;
  /** `running` and `idle`: a Tau has it open. Otherwise how its last task ended. */
  state: "running" | "idle" | AgentEnd;
  model?: string;
  requests: number;
  tokens: number;
  costUsd?: number;
  /** Milliseconds since 1970. */
  startedAt: number;
  lastAt: number;
  error?: string;
  log: string;
}

export interface AgentList {
  agents: ListedAgent[];
  /** Logs that cannot be read, with the reason. */
  problems: { log: string; why: string }[];
}

/** In the order in which they began. */
export async function listAgents(
  { id: session, path }: Pick<SessionInfo, "id" | "path">,
  { surroundings }: Pick<SessionStore, "surroundings">,
): Promise<AgentList> {
  const files = agentFiles({ path })!;
  const found: AgentList = { agents: [], problems: [] };
  const { storage } = surroundings;
  const processes = systemProcesses();
  for (const name of await namesIn(files.directory)) {
    const log = files.log(name);
    try {
      await using opened = await openSession(log, { ...surroundings, mode: "read" });
      const logged = await readAgentLog(opened);
      if (!logged) continue;
      const { record, startedAt, lastAt, ended, outcome, used, model } = logged;
      const isOpen = await isLocked(log, { storage, processes });
      const end = outcome?.end ?? "interrupted";
      found.agents.push({
        session,
        id: record.id,
        parent: record.parent,
        kind: record.kind,
        description: record.description,
        state: isOpen ? (outcome ? "idle" : "running") : end,
        model,
        ...used,
        costUsd: ended?.costUsd,
        startedAt,
        lastAt,
        error: outcome?.error,
        log,
      });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      // One that cannot be read hides none of the others.
      found.problems.push({ log, why: error.message });
    }
  }
  found.agents.sort((a, b) => a.startedAt - b.startedAt);
  return found;
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).flatMap((name) => agentOfLog(name) ?? []).toSorted();
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}
