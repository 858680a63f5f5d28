// Commands about Tau itself: how it looks, its keys, accounts and settings.

import type { AppCommand } from "./app-command.ts";

export const LOOK_COMMANDS: readonly AppCommand[] = [
  {
    name: "tour",
    help: "a walk through Tau, with its built-in model",
    run: async (app) => {
      const { startTour } = await import("../tour.ts");
      startTour(app);
      return undefined;
    },
  },
];
