// A session that is an agent: its way to hand in a result, and word of when to come to an end.

import type { SaidMessage } from "@tau/agent/mail";
import type { FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import { TASK_ROWS } from "./settings.ts";
import { createYieldTool, yieldHooks } from "./yield-tool.ts";

export function setUpAgent(host: FeatureHost): FeatureParts | undefined {
  const { seat } = host.wishes;
  if (!seat) return undefined;
  const { softRequestBudget } = host.settings.group(TASK_ROWS);
  const hooks = yieldHooks(host, seat);
  let isTold = softRequestBudget <= 0;
  return {
    tools: [createYieldTool(seat)],
    hooks: {
      ...hooks,
      reply: async () => {
        if (isTold || seat.agent.activity.requests < softRequestBudget) return;
        isTold = true;
        const options = { sender: "agents", delivery: "steer", isPatient: true } as const;
        await host.mailbox.post(finishWords(softRequestBudget), options);
      },
    },
  };
}

function finishWords(count: number): SaidMessage {
  const text = `You have asked the model ${count} times. Come to an end: hand in what you have, and say what is left.`;
  return { role: "developer", content: [{ type: "text", text }], timestamp: Date.now() };
}
