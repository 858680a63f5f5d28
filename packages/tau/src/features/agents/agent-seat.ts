// What a session that is an agent knows of being one: who it is, what is expected of it, and what it has
// handed in. The session's features see it as a wish of whoever opened the session.

import type { JsonSchema } from "@tau/ai/request";
import type { Agent } from "./agent.ts";
import type { AgentRegistry } from "./registry.ts";

/** What an agent hands in: words, or a value of the shape that was asked for. */
export interface HandedIn {
  readonly result: unknown;
  /** It could not be done, and why. */
  readonly failure?: string;
}

export interface AgentSeat {
  readonly agent: Agent;
  readonly registry: AgentRegistry;
  /** What the result has to look like; words if absent. */
  readonly output?: JsonSchema;
  /** Which agents it may start. */
  readonly spawns: "*" | readonly string[];
}
