// Goals: the session works on until a condition holds, which a second model judges. This is all that the
// rest of Tau knows of it.

import type { Feature } from "../../feature-api/feature.ts";
import { GOAL_EVENTS } from "./events.ts";
import { GOAL_ROWS } from "./settings.ts";

declare module "../../feature-api/feature.ts" {
  interface FeatureWishes {
    /** A condition to work towards. */
    readonly goal?: string;
  }
}

export const goal: Feature = {
  name: "goal",
  // After everybody else who has something to say at the end of a run.
  order: 800,
  settings: [GOAL_ROWS],
  events: GOAL_EVENTS,
  wishes: ["goal"],
  commands: [
    {
      name: "goal",
      argument: "[CONDITION]",
      help: "work until a condition holds; off ends it",
      from: "person",
      when: "any",
      complete: () => ["off"],
      run: async (place, argument) => (await import("./goal-command.ts")).runGoal(place, argument),
    },
  ],
  protocol: () => import("./protocol.ts"),
  setup: async (host) => (await import("./setup.ts")).setUpGoal(host),
  terminal: () => import("./terminal.ts"),
};
