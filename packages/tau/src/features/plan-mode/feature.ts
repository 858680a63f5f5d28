// Plan mode: the model looks and plans, and changes nothing until the user has approved its plan. This is
// all that the rest of Tau knows of it.

import type { Feature } from "../../feature-api/feature.ts";
import { PLAN_EVENTS } from "./events.ts";
import { SUBMIT_PLAN } from "./read-only-tools.ts";
import { PLAN_ROWS } from "./settings.ts";

declare module "../../feature-api/feature.ts" {
  interface FeatureWishes {
    /** Begin in plan mode. */
    readonly planMode?: boolean;
  }
}

export const planMode: Feature = {
  name: "plan-mode",
  // Before the todo list: a run that waits for the user is not reminded of open tasks.
  order: 260,
  settings: [PLAN_ROWS],
  tools: [SUBMIT_PLAN],
  // Not one that a session has by itself: it is there while plan mode is on.
  hiddenTools: [SUBMIT_PLAN],
  worksWithoutTools: true,
  events: PLAN_EVENTS,
  wishes: ["planMode"],
  commands: [
    {
      name: "plan",
      argument: "[WORDS]",
      help: "plan first, and change nothing until you approve",
      from: "person",
      complete: async (place, typed) =>
        (await (await import("./plan-command.ts")).offers?.(place, typed)) ?? [],
      run: async (place, argument) => (await import("./plan-command.ts")).runPlan(place, argument),
    },
  ],
  protocol: () => import("./protocol.ts"),
  setup: async (host) => (await import("./setup.ts")).setUpPlanMode(host),
  terminal: () => import("./terminal.ts"),
};
