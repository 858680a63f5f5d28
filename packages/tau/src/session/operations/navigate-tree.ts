// Moving to another entry of the same session. In two steps, so that whoever is to be asked (an
// extension, a model that summarises what is left) is asked in between, on facts: nothing is
// written before the second step, and that writes all or nothing.

import type { BranchSummaryEntry, SessionEntry } from "../entry.ts";
import { kindOf, movesLeaf } from "../entry-kinds.ts";
import { abandonedEntries } from "./abandoned-entries.ts";
import { UnknownEntry } from "../log/log-error.ts";
import type { SessionLog } from "../session-log.ts";
import { landingOn, type Landing } from "./landing.ts";
import { SessionMovedOn } from "./operation-error.ts";

export interface NavigationPlan {
  targetId: string;
  oldLeafId: string | null;
  /** Where the session will stand, and what goes to the editor. */
  landing: Landing;
  commonAncestorId: string | null;
  /** What is left behind, oldest first. */
  abandoned: SessionEntry[];
}

/** Of what is left behind; as `summariseBranch` gives it. */
export type BranchSummary = Pick<BranchSummaryEntry, "summary" | "details" | "fromExtension">;

export interface Navigation {
  /** False where the session stands there already. */
  isMoved: boolean;
  oldLeafId: string | null;
  leafId: string | null;
  editorText?: string;
  summaryEntry?: BranchSummaryEntry;
}

const REASON = "tree";
/** What a summary is from where nothing had been said. */
const FROM_ROOT = "root";

/** Throws `UnknownEntry`. Changes nothing. */
export async function planNavigation(log: SessionLog, targetId: string): Promise<NavigationPlan> {
  const { leafId: oldLeafId } = log;
  const entry = await log.entry(targetId);
  if (!entry || !movesLeaf(entry)) throw new UnknownEntry(targetId);
  const left = await log.branch({ leafId: oldLeafId });
  if (targetId === oldLeafId) {
    const landing = { leafId: oldLeafId };
    return { targetId, oldLeafId, landing, commonAncestorId: oldLeafId, abandoned: [] };
  }
  const way = await log.branch({ leafId: targetId });
  const landing = landingOn(entry, way.at(-2)?.id ?? null);
  const kept = landing.leafId === targetId ? way : way.slice(0, -1);
  const abandoned = abandonedEntries(left, kept);
  const commonAncestorId = left[left.length - abandoned.length - 1]?.id ?? null;
  return { targetId, oldLeafId, landing, commonAncestorId, abandoned };
}

/** Records of what happened while somebody was asked are not a conversation that went on. */
async function standsWhereItStood(log: SessionLog, oldLeafId: string | null): Promise<boolean> {
  let at = log.leafId;
  while (at !== oldLeafId) {
    const entry = at === null ? undefined : await log.entry(at);
    if (!entry || kindOf(entry).place !== "record") return false;
    at = entry.parentId;
  }
  return true;
}

/** Throws `SessionMovedOn` where the session went on since it was planned. */
export async function navigate(
  log: SessionLog,
  plan: NavigationPlan,
  summary?: BranchSummary,
): Promise<Navigation> {
  const { oldLeafId, landing } = plan;
  if (!(await standsWhereItStood(log, oldLeafId))) throw new SessionMovedOn();
  const { leafId } = landing;
  if (leafId === oldLeafId) return { isMoved: false, oldLeafId, ...landing };
  const move = { type: "leaf", leafId, reason: REASON } as const;
  if (!summary || plan.abandoned.length === 0) {
    await log.append(move);
    return { isMoved: true, oldLeafId, ...landing };
  }
  const { details, fromExtension } = summary;
  const [, summaryEntry] = await log.appendAll([
    move,
    {
      type: "branch_summary",
      fromId: oldLeafId ?? FROM_ROOT,
      summary: summary.summary,
      details,
      fromExtension,
    },
  ]);
  const entry = summaryEntry as BranchSummaryEntry;
  return { isMoved: true, oldLeafId, ...landing, leafId: entry.id, summaryEntry: entry };
}
