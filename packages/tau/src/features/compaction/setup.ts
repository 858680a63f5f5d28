// Compaction in one session: when it is asked for, when the window fills up, when nobody is there, and
// what a branch or a session leaves to the one that goes on.

import { ModelError } from "@tau/ai/error";
import type { FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import { offer } from "../../session/session-host.ts";
import type { SessionEntry } from "../../session/entry.ts";
import { askForText } from "./ask-for-text.ts";
import { AFTER_EXTENSIONS, COMPACTION, Compactor } from "./compactor.ts";
import { COMPACTION_ROWS } from "./settings.ts";

export function setUpCompaction(host: FeatureHost): FeatureParts {
  const compactor = new Compactor(host, host.settings.group(COMPACTION_ROWS));
  const { idleAfterMs } = compactor;
  if (idleAfterMs !== undefined) {
    host.whenIdle(idleAfterMs, (signal) => compactor.whenIdle(idleAfterMs, signal));
  }
  return {
    part: offer(COMPACTION, compactor),
    hooks: {
      ...compactor.handlers,
      session_summarise_branch: {
        order: AFTER_EXTENSIONS,
        handle: async ({ entries, instructions }, { signal }) => {
          const { summariseBranch } = await import("./branch-summary.ts");
          const { model } = host;
          const left = entries as readonly SessionEntry[];
          const ask = askForText(host, { purpose: "branch_summary", signal });
          try {
            return await summariseBranch({ entries: left, model, instructions }, { ask });
          } catch (error) {
            if (!(error instanceof ModelError)) throw error;
            return { failure: error.failure };
          }
        },
      },
      session_handing_over: async ({ document }) => {
        const { handoffEntry } = await import("./handoff.ts");
        return { entries: [handoffEntry(document)] };
      },
    },
  };
}
