// Moving in a session's tree as its session does it: extensions may object or bring a summary,
// and where the user wants one a model writes it.

import { HookCalls } from "@tau/agent/hook-calls";
import { ModelError } from "@tau/ai/error";
import {
  navigate,
  planNavigation,
  type BranchSummary,
  type Navigation,
} from "./operations/navigate-tree.ts";
import { OperationRefused } from "./operations/operation-error.ts";
import type { SessionHost } from "./session-host.ts";
import type { SessionLog } from "./session-log.ts";

export interface NavigateWishes {
  summarise?: boolean;
  /** What the summary is to attend to. */
  instructions?: string;
  signal: AbortSignal;
}

export async function navigateSession(
  host: SessionHost,
  log: SessionLog,
  targetId: string,
  wishes: NavigateWishes,
): Promise<Navigation> {
  const plan = await planNavigation(log, targetId);
  const { signal } = wishes;
  const calls = new HookCalls(host.hooks, { signal, emit: host.notify });
  const moving = { from: plan.oldLeafId, to: plan.landing.leafId };
  let summary: BranchSummary | undefined;
  for (const answer of await calls.session("session_before_tree", moving)) {
    if ("cancel" in answer) {
      throw new OperationRefused(answer.reason ?? "An extension cancelled the move.");
    }
    summary = { ...answer.summary, fromExtension: true };
  }
  if (!summary && wishes.summarise && plan.abandoned.length > 0) {
    const { instructions } = wishes;
    const left = { entries: plan.abandoned, instructions };
    // A model that fails leaves the session where it is: the user decides whether to go without.
    const answer = await calls.first("session_summarise_branch", left);
    signal.throwIfAborted();
    if (answer && "failure" in answer) throw new ModelError(answer.failure);
    summary = answer;
  }
  const navigation = await navigate(log, plan, summary);
  await calls.notify("session_tree", moving);
  return navigation;
}
