// The two tools: one marks where an exploration begins, the other ends it with a report.

import { defineTool, textOutput, ToolError, type Tool } from "@tau/agent/tool";
import { description, minLength, pipe, strictObject, string, trim } from "valibot";
import checkpointPrompt from "./prompt-checkpoint.md" with { type: "text" };
import rewindPrompt from "./prompt-rewind.md" with { type: "text" };
import type { Checkpoints } from "./checkpoints.ts";

export const CHECKPOINT = "checkpoint";
export const REWIND = "rewind";

const words = pipe(string(), trim(), minLength(1));

export function createCheckpointTool(checkpoints: Checkpoints): Tool {
  return defineTool({
    name: CHECKPOINT,
    description: checkpointPrompt.trim(),
    parameters: strictObject({ goal: pipe(words, description("What is to be found out")) }),
    tier: "read",
    concurrency: "exclusive",
    async execute({ goal }) {
      const { open } = checkpoints;
      if (open) {
        throw new ToolError(
          `A checkpoint is already active (${open.goal}). Call ${REWIND} with a report first.`,
        );
      }
      const begun = await checkpoints.begin(goal);
      const text = `Checkpoint created.\nGoal: ${begun.goal}\nRun your investigation, then call ${REWIND} with a concise report.`;
      return textOutput(text, begun);
    },
  });
}

export function createRewindTool(checkpoints: Checkpoints): Tool {
  return defineTool({
    name: REWIND,
    description: rewindPrompt.trim(),
    parameters: strictObject({
      report: pipe(words, description("All that you will need to know later, in Markdown")),
    }),
    tier: "read",
    concurrency: "exclusive",
    async execute({ report }, { signal }) {
      const { open } = checkpoints;
      if (!open) throw new ToolError(`No checkpoint is active. Call ${CHECKPOINT} first.`);
      const objection = await checkpoints.objection(signal);
      if (objection !== undefined) throw new ToolError(`Not rewound: ${objection}`);
      checkpoints.report(report);
      return textOutput("The report takes the place of everything since the checkpoint.", {
        goal: open.goal,
      });
    },
  });
}
