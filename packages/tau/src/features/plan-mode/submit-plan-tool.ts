// How the model hands in its plan. It is there in plan mode only.

import { defineTool, textOutput, ToolError, type Tool } from "@tau/agent/tool";
import { description, pipe, strictObject, string } from "valibot";
import type { PlanDesk } from "./plan-desk.ts";
import type { PlanMode } from "./plan-mode.ts";
import { SUBMIT_PLAN } from "./read-only-tools.ts";
import prompt from "./prompt.md" with { type: "text" };

const parameters = strictObject({
  title: pipe(string(), description("What it is about, in a few words")),
  plan: pipe(string(), description("The whole plan, as Markdown")),
});

export function createSubmitPlanTool(mode: PlanMode, desk: PlanDesk): Tool {
  return defineTool({
    name: SUBMIT_PLAN,
    description: prompt.trim(),
    parameters,
    tier: "read",
    concurrency: "exclusive",
    timeoutMs: "waits_for_person",
    async execute({ title, plan }, { signal }) {
      if (!mode.isOn) throw new ToolError("Plan mode is off: there is nobody to hand a plan to.");
      if (plan.trim() === "") throw new ToolError("The plan is empty.");
      const words = await desk.submit({ title, text: plan }, signal);
      return textOutput(words, { path: mode.path });
    },
  });
}
