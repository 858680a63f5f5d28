// Questions that the model puts to the user, with choices. This is all that the rest of Tau knows of them.

import type { Feature } from "../../feature-api/feature.ts";
import { ASK_ROWS } from "./settings.ts";

export const ask: Feature = {
  name: "ask",
  settings: [ASK_ROWS],
  tools: ["ask"],
  setup: async (host) => {
    // Nobody would answer; and agents ask whoever has given them their task.
    if (!host.ui.canAsk || host.parent) return undefined;
    const { createAskTool } = await import("./ask-tool.ts");
    return { tools: [createAskTool(host)] };
  },
  terminal: () => import("./terminal.ts"),
};
