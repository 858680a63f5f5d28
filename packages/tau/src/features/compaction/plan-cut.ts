// Where a compaction cuts. What is summarised begins where the previous compaction began to
// keep, so that nothing falls between two of them. A cut never parts a result from its call.

import { toolCallsOf } from "@tau/ai/message";
import type { CompactionEntry, MessageEntry, SessionEntry } from "../../session/entry.ts";
import { latestCut, prunedIn } from "../../session/context/build-context.ts";
import { isResult, messagesOf } from "../../session/context/entry-messages.ts";
import { isConversation } from "../../session/entry-kinds.ts";
import { messagesTokens } from "../../base/message-tokens.ts";
import type { CompactionSettings } from "./settings.ts";
import type { CompactionReason } from "./triggers.ts";

export interface CutPlan {
  /** The latest compaction, whose summary is to be carried on. */
  previous?: CompactionEntry;
  /** Whole turns to summarise. */
  history: readonly SessionEntry[];
  /** The beginning of the turn that the cut goes through; empty for a cut between turns. */
  turnPrefix: readonly SessionEntry[];
  kept: readonly SessionEntry[];
  firstKeptEntryId: string;
}

/** Undefined where there is nothing to summarise. */
export function planCut(
  branch: readonly SessionEntry[],
  options: { keepTokens: number },
): CutPlan | undefined {
  const previous = latestCut(branch);
  const start = previous ? keptStart(previous) : 0;
  const at = chooseCut(branch, start, options.keepTokens);
  if (at === undefined) return undefined;
  const turnStart = splitTurnStart(branch, start, at);
  const cut = withMetadata(branch, start, at);
  return {
    previous: previous?.compaction,
    history: branch.slice(start, turnStart ?? cut),
    turnPrefix: turnStart === undefined ? [] : branch.slice(turnStart, cut),
    kept: branch.slice(cut),
    firstKeptEntryId: branch[cut]!.id,
  };
}

function keptStart(cut: { at: number; keptFrom: number }): number {
  return cut.keptFrom === cut.at ? cut.at + 1 : cut.keptFrom;
}

/** The first valid cut that keeps no more than wanted, or else the last one before that. */
function chooseCut(
  branch: readonly SessionEntry[],
  start: number,
  keepTokens: number,
): number | undefined {
  const prunedIds = prunedIn(branch);
  let tokens = 0;
  let isPastBudget = false;
  // A result that is still to come must find its call on the same side.
  let hasResultAhead = hasOpenCalls(branch);
  let within: number | undefined;
  let beyond: number | undefined;
  for (let at = branch.length - 1; at >= start; at--) {
    const entry = branch[at]!;
    if (!isConversation(entry)) continue;
    // In both cases this entry stands before the cut, so that there is something to summarise.
    if (beyond !== undefined) return beyond;
    tokens += messagesTokens(messagesOf(entry, prunedIds));
    isPastBudget ||= tokens > keepTokens;
    if (within !== undefined && isPastBudget) return within;
    if (isResult(entry)) {
      hasResultAhead = true;
      continue;
    }
    if (isReply(entry)) hasResultAhead = false;
    if (hasResultAhead) continue;
    if (!isPastBudget) within = at;
    else beyond = at;
  }
  return undefined;
}

function isReply(entry: SessionEntry): entry is MessageEntry & { message: { role: "assistant" } } {
  return entry.type === "message" && entry.message.role === "assistant";
}

/** Whether the last reply made calls that nothing has answered yet. */
function hasOpenCalls(branch: readonly SessionEntry[]): boolean {
  const at = branch.findLastIndex(isReply);
  const reply = branch[at];
  if (!reply || !isReply(reply)) return false;
  const open = toolCallsOf(reply.message).map((call) => call.id);
  for (const entry of branch.slice(at + 1)) {
    if (!isResult(entry)) continue;
    const index = open.indexOf(entry.message.toolCallId);
    if (index >= 0) open.splice(index, 1);
  }
  return open.length > 0;
}

function startsTurn(entry: SessionEntry): boolean {
  return isConversation(entry) && !isReply(entry) && !isResult(entry);
}

/** Where the turn begins that a cut goes through, if there is history before that. */
function splitTurnStart(
  branch: readonly SessionEntry[],
  start: number,
  cut: number,
): number | undefined {
  if (startsTurn(branch[cut]!)) return undefined;
  let at = cut - 1;
  while (at >= start && !startsTurn(branch[at]!)) at--;
  // A turn that began before the range goes on from the previous summary.
  const hasHistory = branch.slice(start, Math.max(start, at)).some(isConversation);
  return at > start && hasHistory ? at : undefined;
}

/** Settings right before the cut belong to what follows them. */
function withMetadata(branch: readonly SessionEntry[], start: number, cut: number): number {
  let at = cut;
  while (
    at - 1 > start &&
    !isConversation(branch[at - 1]!) &&
    branch[at - 1]!.type !== "compaction"
  )
    at--;
  return at;
}

/** A tail that takes up more of a small window would leave no room for the rest. */
const MAX_KEPT_SHARE_OF_WINDOW = 0.25;
/** Someone waits for room: half of what there is goes, however short it is. */
const MAX_KEPT_SHARE_WHEN_PRESSED = 0.5;
const PRESSED: ReadonlySet<CompactionReason> = new Set(["manual", "overflow", "incomplete"]);

export interface KeepFacts {
  settings: Pick<CompactionSettings, "keepRecentTokens">;
  contextWindow: number;
  /** Measured by estimated tokens. */
  ratio: number;
  /** Of the conversation, without the system prompt and tools. */
  estimatedTokens: number;
  reason: CompactionReason;
}

/** How many estimated tokens to keep. */
export function keepBudget(facts: KeepFacts): number {
  const { settings, contextWindow, ratio, estimatedTokens, reason } = facts;
  const wanted = Math.min(settings.keepRecentTokens, contextWindow * MAX_KEPT_SHARE_OF_WINDOW);
  const budget = wanted / ratio;
  return PRESSED.has(reason)
    ? Math.min(budget, estimatedTokens * MAX_KEPT_SHARE_WHEN_PRESSED)
    : budget;
}
