// How an agent hands in what came of its task: the hidden tool `yield`, and the reminders of an agent that
// stops without it. The third one forces the call.

import type { HookHandlers } from "@tau/agent/hooks";
import type { SaidMessage } from "@tau/agent/mail";
import { defineJsonTool, textOutput, ToolError, type Tool } from "@tau/agent/tool";
import type { JsonSchema } from "@tau/ai/request";
import type { FeatureHost } from "../../feature-api/feature.ts";
import type { AgentSeat } from "./agent-seat.ts";
import { YIELD } from "./agent-tools.ts";
import { isAtWork } from "./agent-view.ts";

const MAX_REMINDERS = 3;

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

/** Of an agent's session. */
export function yieldHooks(host: FeatureHost, { agent, registry }: AgentSeat): HookHandlers {
  let reminders = 0;
  return {
    run_start: () => void (reminders = 0),
    turn_end: ({ results }) => {
      if (!agent.isObliged)
        return agent.handedIn && results.length > 0 ? { type: "done" } : undefined;
      // It stopped: to wait for others, whose results wake it, or too early.
      if (results.length > 0 || registry.hasChildrenAtWork(agent.id)) return undefined;
      if (reminders >= MAX_REMINDERS) return undefined;
      reminders++;
      if (reminders === MAX_REMINDERS) host.forcedChoices.push({ name: YIELD });
      return { type: "continue", messages: [reminder(reminders)] };
    },
  };
}

function reminder(count: number): SaidMessage {
  const text = `You stopped without handing in a result. Call ${YIELD} now with what came of your task, finished or not. [reminder ${count} of ${MAX_REMINDERS}]`;
  return { role: "developer", content: [{ type: "text", text }], timestamp: Date.now() };
}
