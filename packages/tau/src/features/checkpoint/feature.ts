// Checkpoints: the model marks a place, explores, and goes back to it with a report. This is all that the
// rest of Tau knows of them.

import type { Feature } from "../../feature-api/feature.ts";
import { CHECKPOINT_KIND } from "./checkpoint-entry.ts";
import { CHECKPOINT_EVENTS } from "./events.ts";
import { CHECKPOINT_ROWS } from "./settings.ts";

export const checkpoint: Feature = {
  name: "checkpoint",
  // Before compaction: a report makes the conversation shorter by itself.
  order: 90,
  settings: [CHECKPOINT_ROWS],
  tools: ["checkpoint", "rewind"],
  entries: [CHECKPOINT_KIND],
  events: CHECKPOINT_EVENTS,
  offersTools: (settings) => settings.group(CHECKPOINT_ROWS).enabled,
  setup: async (host) => (await import("./setup.ts")).setUpCheckpoints(host),
  terminal: () => import("./terminal.ts"),
};
