// What holds an agent to its task: it is reminded to hand in a result, the third time by force, and told
// to come to an end when it has asked often enough.

import { developerText } from "@tau/ai/message";
import type { HookHandlers } from "@tau/agent/hooks";
import type { FeatureHost } from "../../feature-api/feature.ts";
import type { AgentSeat } from "./agent-seat.ts";
import { YIELD } from "./agent-tools.ts";
import { TASK_ROWS } from "./settings.ts";

const MAX_REMINDERS = 3;

export function agentHooks(host: FeatureHost, { agent, registry }: AgentSeat): HookHandlers {
  const { softRequestBudget } = host.settings.group(TASK_ROWS);
  let isToldToFinish = softRequestBudget <= 0;
  let reminders = 0;
  return {
    run_start: () => void (reminders = 0),
    turn_end: ({ results }) => {
      if (!agent.isObliged) {
        // What was handed in earlier ends no later run: one that is asked more may well use tools.
        const isHandedIn = results.some(({ toolName, isError }) => toolName === YIELD && !isError);
        return isHandedIn ? { type: "done" } : undefined;
      }
      // It stopped: to wait for others, whose results wake it, or too early.
      if (results.length > 0 || registry.hasChildrenAtWork(agent.id)) return undefined;
      if (reminders >= MAX_REMINDERS) return undefined;
      reminders++;
      if (reminders === MAX_REMINDERS) host.forcedChoices.push({ name: YIELD });
      return { type: "continue", messages: [developerText(reminder(reminders))] };
    },
    reply: async () => {
      if (isToldToFinish || agent.activity.requests < softRequestBudget) return;
      isToldToFinish = true;
      const words = `You have asked the model ${softRequestBudget} times. Come to an end: hand in what you have, and say what is left.`;
      const options = { sender: "agents", delivery: "steer", isPatient: true } as const;
      await host.mailbox.post(developerText(words), options);
    },
  };
}

function reminder(count: number): string {
  return `You stopped without handing in a result. Call ${YIELD} now with what came of your task, finished or not. [reminder ${count} of ${MAX_REMINDERS}]`;
}
