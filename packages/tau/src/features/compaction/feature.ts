// Compaction: a conversation that fills up is made shorter, and a branch that is left gets a note.

import type { Feature } from "../../feature-api/feature.ts";
import { keeping, type EventRowsOf } from "../../session/event-row.ts";
import { note } from "../../session/projection/block.ts";
import { COMPACTION_ROWS } from "./settings.ts";

interface CompactionEventMap {
  /** The conversation is being made shorter. */
  auto_compaction_start: { reason: string };
  auto_compaction_end: {
    reason: string;
    /** Tokens before and after, if it was done; a sentence if it was not. */
    result: { before: number; after: number } | { dropped: string };
  };
}

declare module "../../session/session-event.ts" {
  interface SessionEventMap extends CompactionEventMap {}
}

type Told<Type extends keyof CompactionEventMap> = { type: Type } & CompactionEventMap[Type];

const COMPACTION_EVENTS: EventRowsOf<CompactionEventMap> = {
  auto_compaction_start: { docs: "compaction begins" },
  auto_compaction_end: {
    docs: "compaction has ended; `result.dropped` says why it was not done",
    kept: keeping(
      // Whoever asked for it is answered, and what was done is an entry of its own.
      ({ reason, result }: Told<"auto_compaction_end">) =>
        "dropped" in result && reason !== "manual"
          ? { reason, dropped: result.dropped }
          : undefined,
      ({ dropped }) => [note(dropped, "warning")],
    ),
  },
};

export const compaction: Feature = {
  name: "compaction",
  order: 100,
  settings: [COMPACTION_ROWS],
  events: COMPACTION_EVENTS,
  protocol: () => import("./protocol.ts"),
  setup: async (host) => (await import("./setup.ts")).setUpCompaction(host),
};
