// Agents for whoever waits for what comes of them, such as a cell: started, awaited, and told of nowhere
// else.

import { ToolError } from "@tau/agent/tool";
import type { AgentRunner } from "../../feature-api/agent-runner.ts";
import type { TaskRunner } from "./task-runner.ts";
import { chooseAgent, type TaskPlace } from "./task-tool.ts";

export interface RunnerOptions extends Pick<TaskPlace, "search" | "spawns" | "disabled"> {
  runner: TaskRunner;
  concurrency: number;
}

const USUAL = "task";

export function agentRunner({ runner, concurrency, ...place }: RunnerOptions): AgentRunner {
  return {
    concurrency,
    async run(
      assignment,
      { kind = USUAL, model, label, schema } = {},
      signal = new AbortController().signal,
    ) {
      if (signal.aborted) throw new ToolError("The agent was stopped before it began.");
      if (assignment.trim() === "") throw new ToolError("The agent has no assignment.");
      const definition = await chooseAgent(kind, place);
      const order = { definition, assignment, description: label, model, output: schema };
      const [done] = await runner.startAndWait([order], signal);
      const { end, result, error } = done!.outcome;
      if (end === "completed") return result;
      const { id } = done!.agent;
      throw new ToolError(
        `${id} ${end === "failed" ? `failed: ${error ?? "no reason"}` : `was ${end}`}.`,
      );
    },
  };
}
