// Agents: sessions that work for this one, each with a name, a log and a screen of its own. This is all
// that the rest of Tau knows of them.

import type { Feature } from "../../feature-api/feature.ts";
import type { AgentSeat } from "./agent-seat.ts";
import { YIELD } from "./agent-tools.ts";
import { AGENT_EVENTS } from "./events.ts";
import { IRC_ROWS, TASK_ROWS } from "./settings.ts";

declare module "../../feature-api/feature.ts" {
  interface FeatureWishes {
    /** If the session is an agent. */
    readonly seat?: AgentSeat;
  }
}

export const agents: Feature = {
  name: "agents",
  order: 250,
  settings: [TASK_ROWS, IRC_ROWS],
  tools: ["task", "irc", YIELD],
  hiddenTools: [YIELD],
  wishes: ["seat"],
  events: AGENT_EVENTS,
  offersTools: (settings) => {
    const { enabled, maxRecursionDepth } = settings.group(TASK_ROWS);
    return enabled && maxRecursionDepth > 0;
  },
  protocol: () => import("./protocol.ts"),
  setup: async (host) => (await import("./setup.ts")).setUpAgents(host),
  commandLine: () => import("./command-line.ts"),
  terminal: () => import("./terminal.ts"),
};
