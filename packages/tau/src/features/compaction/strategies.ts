// The strategies by name; each is loaded when it is used. Names of the family whose sessions
// and settings open here are accepted too.

import { COMPACTION_ROWS } from "./settings.ts";
import type { CompactionStrategy } from "./strategy.ts";

const LOADERS: Record<string, () => Promise<CompactionStrategy>> = {
  summary: async () => (await import("./summary.ts")).summaryStrategy,
  handoff: async () => (await import("./handoff.ts")).handoffStrategy,
  prune: async () => (await import("./prune.ts")).pruneStrategy,
  remote: async () => (await import("./remote.ts")).remoteStrategy,
  snapshot: async () => (await import("./snapshot.ts")).snapshotStrategy,
};

const ALIASES: Readonly<Record<string, string>> = COMPACTION_ROWS.rows.strategy.aliases ?? {};

export const STRATEGY_NAMES: readonly string[] = Object.keys(LOADERS);

/** Undefined for `off` and for a name nobody knows. */
export async function loadStrategy(name: string): Promise<CompactionStrategy | undefined> {
  return LOADERS[ALIASES[name] ?? name]?.();
}
