// The goal in the terminal: how far it has come, in the status line, while it is worked towards.

import type { TerminalFeature } from "../../feature-api/terminal-feature.ts";
import { GOAL } from "./goal.ts";

export const status: TerminalFeature["status"] = [
  {
    name: "goal",
    render: ({ session, theme }) => {
      const goal = session.part(GOAL);
      if (!goal?.active) return undefined;
      return theme.style("muted")(`goal ${goal.active.rounds}/${goal.settings.maxRounds}`);
    },
  },
];
