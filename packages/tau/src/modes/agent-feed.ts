// Events of agents for programs that read Tau's output. They are told only to a reader that wants them:
// one that knows nothing of agents would take an agent's `message_update` or `agent_end` for the
// session's own. Each has the agent's name as `agent_id`, and no `runId`: runs are the session's.

import type { ActiveSession } from "../assembly/active-session.ts";
import { AGENT_SESSIONS } from "../feature-api/agent-sessions.ts";
import type { SessionEvent, SessionListener } from "../session/session-event.ts";
import { plainEvent } from "./json-lines.ts";

/** `steps`: without what streams, which is said again as a whole. */
export const AGENT_FEEDS = ["none", "steps", "all"] as const;
export type AgentFeedKind = (typeof AGENT_FEEDS)[number];

const STREAMED: ReadonlySet<SessionEvent["type"]> = new Set([
  "message_update",
  "tool_execution_update",
  "own_run_update",
]);

export interface AgentFeedOptions {
  kind: AgentFeedKind;
  write(event: { type: string } & Record<string, unknown>): void;
  /** Told of every event, also of those that the reader does not want. */
  heard?: SessionListener;
}

export class AgentFeed {
  readonly #options: AgentFeedOptions;
  kind: AgentFeedKind;
  #unsubscribe: (() => void) | undefined;

  constructor(options: AgentFeedOptions) {
    this.#options = options;
    this.kind = options.kind;
  }

  /** From now on, also of the sessions that come after this one. */
  follow(active: ActiveSession): void {
    this.#join(active);
    active.subscribe((event) => {
      if (event.type === "session_changed") this.#join(active);
    }, "part");
  }

  #join(active: ActiveSession): void {
    this.#unsubscribe?.();
    this.#unsubscribe = active.part(AGENT_SESSIONS)?.hear((event, origin) => {
      this.#options.heard?.(event, origin);
      if (!this.#isWanted(event)) return;
      this.#options.write({ ...plainEvent(event), agent_id: origin.agent });
    });
  }

  #isWanted({ type }: SessionEvent): boolean {
    return this.kind === "all" || (this.kind === "steps" && !STREAMED.has(type));
  }
}
