// Both steps of a navigation, as the session takes them one by one.

import type { SessionEntry } from "../../entry.ts";
import type { SessionLog } from "../../session-log.ts";
import { navigate, planNavigation, type BranchSummary, type Navigation } from "../navigate-tree.ts";

export interface NavigateOptions {
  /** Asked only where something is left behind; undefined where there is nothing to say. */
  summarise?: (abandoned: readonly SessionEntry[]) => Promise<BranchSummary | undefined>;
}

export async function navigateTree(
  log: SessionLog,
  targetId: string,
  { summarise }: NavigateOptions = {},
): Promise<Navigation> {
  const plan = await planNavigation(log, targetId);
  const isWorth = plan.abandoned.length > 0;
  const summary = isWorth ? await summarise?.(plan.abandoned) : undefined;
  return navigate(log, plan, summary);
}
