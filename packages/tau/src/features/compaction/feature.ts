// Compaction: a conversation that fills up is made shorter, and a branch that is left gets a note.

import type { Feature } from "../../feature-api/feature.ts";
import { COMPACTION_ROWS } from "./settings.ts";

export const compaction: Feature = {
  name: "compaction",
  order: 100,
  settings: [COMPACTION_ROWS],
  protocol: () => import("./protocol.ts"),
  setup: async (host) => (await import("./setup.ts")).setUpCompaction(host),
};
