// Plan mode in the terminal: the plan, and a word in the status line for as long as it is on.

import type { TerminalFeature } from "../../feature-api/terminal-feature.ts";
import { PLAN_MODE } from "./plan-mode.ts";
import { submitPlanView } from "./render.ts";

export { SAMPLES as samples } from "./samples.ts";

export const views: TerminalFeature["views"] = { submit_plan: submitPlanView };

export const status: TerminalFeature["status"] = [
  {
    name: "plan",
    render: ({ session, theme }) =>
      session.part(PLAN_MODE)?.isOn ? theme.style("warning")("plan mode") : undefined,
  },
];
