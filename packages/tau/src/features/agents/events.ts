// What a session tells of the agents that work for it.

import { keeping, type EventRowsOf } from "../../session/event-row.ts";
import { note } from "../../session/projection/block.ts";
import type { AgentEnd, AgentView } from "../../feature-api/agent-view.ts";

interface AgentEventMap {
  /** Who there is, and what each does; at most a few times a second. */
  agents_changed: { agents: readonly AgentView[] };
  /** An agent's task is over. */
  task_end: {
    id: string;
    kind: string;
    description?: string;
    end: AgentEnd;
    durationMs: number;
    error?: string;
  };
}

declare module "../../session/session-event.ts" {
  interface SessionEventMap extends AgentEventMap {}
}

type Told<Type extends keyof AgentEventMap> = { type: Type } & AgentEventMap[Type];

const WORDS: Readonly<Record<AgentEnd, string>> = {
  completed: "finished",
  failed: "failed",
  aborted: "was stopped",
  interrupted: "was interrupted",
};

export const AGENT_EVENTS: EventRowsOf<AgentEventMap> = {
  agents_changed: { docs: "agents that work for the session, and what each does now" },
  task_end: {
    docs: "an agent's task is over; its result is a message of its own",
    kept: keeping(
      ({ type: _type, ...rest }: Told<"task_end">) => rest,
      ({ id, kind, description, end, durationMs, error }) => {
        const about = description ? `: ${description}` : "";
        const after = `after ${(durationMs / 1000).toFixed(1)} s`;
        const line = `${id} (${kind}) ${WORDS[end]} ${after}${about}`;
        const tone = end === "completed" ? "plain" : "warning";
        return [note(error === undefined ? line : `${line}\n  ${error}`, tone)];
      },
    ),
  },
};
