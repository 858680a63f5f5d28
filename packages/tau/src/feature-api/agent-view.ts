// What whoever looks at an agent sees of it: on the screens, over the protocol, in a list.

/**
 * `queued`: waits for its turn. `running`: works, or waits for agents of its own. `idle`: is done, and can
 * be spoken to. `parked`: as idle, but out of memory; it comes back from its log. `aborted`: was stopped.
 */
export type AgentState = "queued" | "running" | "idle" | "parked" | "aborted";

/** How its last task ended. `interrupted`: Tau ended first. */
export type AgentEnd = "completed" | "failed" | "aborted" | "interrupted";

export interface AgentView {
  readonly id: string;
  /** `Main`, or another agent. */
  readonly parent: string;
  /** The kind of agent: `explore`, `task`, … */
  readonly kind: string;
  readonly description?: string;
  readonly state: AgentState;
  readonly isIsolated: boolean;
  readonly model?: string;
  /** What it does right now, in a few words; absent if nothing. */
  readonly doing?: string;
  readonly requests: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly startedAt: number;
  /** Of its last task; absent while it is at it. */
  readonly endedAt?: number;
  readonly lastActiveAt: number;
  /** Messages that it has not taken note of. */
  readonly unread: number;
  readonly end?: AgentEnd;
  /** Why it failed. */
  readonly error?: string;
}

export function isAtWork({ state }: Pick<AgentView, "state">): boolean {
  return state === "queued" || state === "running";
}
