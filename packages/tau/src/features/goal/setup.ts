// The goal in one session. An agent has none of its own: it works for whoever has one.

import type { FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import { offer } from "../../session/session-host.ts";
import { GOAL, Goal } from "./goal.ts";
import { goalHooks } from "./goal-hooks.ts";
import { GOAL_ROWS } from "./settings.ts";

export function setUpGoal(host: FeatureHost): FeatureParts | undefined {
  if (host.parent) return undefined;
  const goal = new Goal(host, host.settings.group(GOAL_ROWS));
  const unsubscribe = host.session.subscribe((event) => {
    if (event.type === "agents_changed") {
      goal.countAgents(event.agents.reduce((sum, { costUsd }) => sum + costUsd, 0));
    }
    // Whoever stops the run does not want it taken up again.
    if (event.type === "agent_end" && event.end.reason === "aborted" && goal.active) {
      host.background(() => goal.end("stopped", ""));
    }
  }, "part");
  return { part: offer(GOAL, goal), hooks: goalHooks(host, goal), dispose: unsubscribe };
}
