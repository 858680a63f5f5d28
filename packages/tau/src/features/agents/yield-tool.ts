// How an agent hands in what came of its task: the hidden tool `yield`.

import { defineJsonTool, textOutput, ToolError, type Tool } from "@tau/agent/tool";
import type { JsonSchema } from "@tau/ai/request";
import type { AgentSeat } from "./agent-seat.ts";
import { YIELD } from "./agent-tools.ts";
import { isAtWork } from "../../feature-api/agent-view.ts";

const WORDS = "Hand in what came of your task; the work ends with it. Once, at the end.";

export function createYieldTool(seat: AgentSeat): Tool {
  return defineJsonTool({
    name: YIELD,
    description: WORDS,
    parameters: parametersFor(seat.output),
    tier: "read",
    concurrency: "exclusive",
    async execute({ result, failed }) {
      const { agent, registry } = seat;
      const open = registry.below(agent.id).filter(isAtWork);
      if (open.length > 0) {
        const names = open.map(({ id }) => id).join(", ");
        throw new ToolError(
          `Not yet: ${names} still at work for you. Wait for them with job, or cancel them.`,
        );
      }
      const failure =
        typeof failed === "string" && failed.trim() !== "" ? failed.trim() : undefined;
      if (result === undefined && failure === undefined) {
        throw new ToolError("Say what came of it: `result`, or `failed` with the reason.");
      }
      agent.handedIn = { result, failure };
      return textOutput("Handed in.");
    },
  });
}

function parametersFor(output: JsonSchema | undefined): JsonSchema {
  const result = output ?? {
    type: "string",
    description: "Everything that whoever gave the task needs to know, in Markdown",
  };
  return {
    type: "object",
    properties: {
      result,
      failed: { type: "string", description: "Only if it could not be done: why" },
    },
    additionalProperties: false,
  };
}
