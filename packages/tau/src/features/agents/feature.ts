// Agents: sessions that work for this one, each with a name, a log and a screen of its own. This is all
// that the rest of Tau knows of them.

import type { Feature } from "../../feature-api/feature.ts";
import type {} from "./agent-seat.ts";
import { YIELD } from "./agent-tools.ts";
import { AGENT_EVENTS } from "./events.ts";
import { IRC_ROWS, TASK_ROWS } from "./settings.ts";

export const agents: Feature = {
  name: "agents",
  order: 250,
  settings: [TASK_ROWS, IRC_ROWS],
  tools: ["task", "irc"],
  wishes: ["seat"],
  events: AGENT_EVENTS,
  offersTools: (settings) => {
    const { enabled, maxRecursionDepth } = settings.group(TASK_ROWS);
    return enabled && maxRecursionDepth > 0;
  },
  setup: async (host) => (await import("./setup.ts")).setUpAgents(host),
};

/** How an agent hands in its result: only sessions that are agents have it. */
export const handingIn: Feature = {
  name: "handing-in",
  order: 260,
  tools: [YIELD],
  wishes: ["seat"],
  offersTools: () => false,
  isOn: ({ wishes }) => wishes.seat !== undefined,
  setup: async (host) => (await import("./setup-agent.ts")).setUpAgent(host),
};
