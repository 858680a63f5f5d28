// Moving in a session's tree as its session does it: extensions may object or bring a summary,
// and where the user wants one a model writes it.

import { HookCalls } from "@tau/agent/hook-calls";
import { ModelError } from "@tau/ai/error";
import { textOf } from "@tau/ai/message";
import type { BehaviourHost } from "../features/behaviour.ts";
import { summariseBranch } from "../features/compaction/branch-summary.ts";
import type { SessionEntry } from "./entry.ts";
import {
  navigate,
  planNavigation,
  type BranchSummary,
  type Navigation,
} from "./operations/navigate-tree.ts";
import { OperationRefused } from "./operations/operation-error.ts";
import type { SessionLog } from "./session-log.ts";

export interface NavigateWishes {
  summarise?: boolean;
  /** What the summary is to attend to. */
  instructions?: string;
  signal: AbortSignal;
}

export async function navigateSession(
  host: BehaviourHost,
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
      throw new OperationRefused(answer.reason ?? "An extension wants to stay here.");
    }
    summary = { ...answer.summary, fromExtension: true };
  }
  if (!summary && wishes.summarise && plan.abandoned.length > 0) {
    summary = await summariseLeft(host, plan.abandoned, wishes);
  }
  const navigation = await navigate(log, plan, summary);
  await calls.notify("session_tree", moving);
  return navigation;
}

/** A model that fails leaves the session where it is: the user decides whether to go without. */
async function summariseLeft(
  host: BehaviourHost,
  abandoned: readonly SessionEntry[],
  { instructions, signal }: NavigateWishes,
): Promise<BranchSummary | undefined> {
  const { model } = host;
  return summariseBranch(
    { entries: abandoned, model, ...(instructions === undefined ? {} : { instructions }) },
    {
      ask: async (request) => {
        const reply = await host.line.ask(request, { purpose: "branch_summary", signal });
        if (reply.error) throw new ModelError(reply.error);
        signal.throwIfAborted();
        return textOf(reply);
      },
    },
  );
}
