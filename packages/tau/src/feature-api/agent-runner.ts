// One piece of work for an agent, for whoever waits for it: code cells, extensions, embedding programs.
// The session that can start agents offers this part.

import type { JsonSchema } from "@tau/ai/request";
import { partKey } from "../base/part.ts";

export interface AgentJob {
  /** The kind of agent; `task` if absent. */
  kind?: string;
  /** Instead of the kind's own. */
  model?: string;
  /** A few words for people. */
  label?: string;
  /** What the result has to look like; words if absent. */
  schema?: JsonSchema;
}

export interface AgentRunner {
  /**
   * What it handed in. Rejects with a `ToolError` if it cannot be started, fails or is stopped: by somebody
   * else, by the signal, or because its session is left.
   */
  run(assignment: string, job?: AgentJob, signal?: AbortSignal): Promise<unknown>;
  /** How many may work at once; 0 is no limit. */
  readonly concurrency: number;
}

export const AGENT_RUNNER = partKey<AgentRunner>("agent runner");
