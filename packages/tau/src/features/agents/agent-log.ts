// What an agent's own log says of it as an agent, beyond the conversation: who it is and for whom it
// works, and how each of its tasks ended. It stands at the beginning and at the end of the log, so that
// a list of agents reads little of each.

import type { NewEntry, SessionEntry } from "../../session/entry.ts";
import type { AgentRecord } from "./agent.ts";
import type { AgentEnd } from "../../feature-api/agent-view.ts";

export const AGENT_ENTRY = "agent";

export interface AgentBegun extends AgentRecord {
  readonly event: "begun";
}

export interface AgentEnded {
  readonly event: "ended";
  readonly end: AgentEnd;
  readonly durationMs: number;
  readonly requests: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly error?: string;
}

/** The parent has its result. */
export interface AgentTold {
  readonly event: "told";
}

export type AgentNote = AgentBegun | AgentEnded | AgentTold;

export function agentEntry(data: AgentNote): NewEntry {
  return { type: "custom", customType: AGENT_ENTRY, data };
}

/** Undefined for every other entry. */
export function agentNote(entry: SessionEntry): AgentNote | undefined {
  if (entry.type !== "custom" || entry.customType !== AGENT_ENTRY) return undefined;
  const data = entry.data as AgentNote | undefined;
  return data && ["begun", "ended", "told"].includes(data.event) ? data : undefined;
}
