// The cheapest way to make room: old tool results are left out of the context, the calls stay.
// Done only where it saves much, because every pruning costs the vendor's prompt cache.

import type { SessionEntry } from "../../session/entry.ts";
import { latestCut, prunedIn } from "../../session/context/build-context.ts";
import { isResult, messagesOf } from "../../session/context/entry-messages.ts";
import { messagesTokens } from "../../base/message-tokens.ts";
import { measureContext } from "./plan-compaction.ts";
import {
  dropped,
  type CompactionDeps,
  type CompactionInput,
  type CompactionResult,
  type CompactionStrategy,
} from "./strategy.ts";
import { summarise } from "./summary.ts";
import { thresholdTokens } from "./triggers.ts";

/** Tokens of the newest results, which the model is likely to be working with; less of a small window. */
const PROTECTED_TOKENS = 40_000;
const PROTECTED_SHARE = 1 / 4;
/** Below this, what is saved does not pay for a request without the prompt cache. */
const MIN_SAVED_TOKENS = 20_000;
const MIN_SAVED_SHARE = 1 / 10;
/** Their results are what the agent works from, and would have to be fetched again. */
const NEVER_PRUNED: ReadonlySet<string> = new Set(["skill", "read"]);

export const pruneStrategy: CompactionStrategy = {
  name: "prune",
  compact: pruneOrSummarise,
};

/** What pruning cannot keep within the window is summarised: a request that does not fit helps nobody. */
async function pruneOrSummarise(
  input: CompactionInput,
  deps: CompactionDeps,
): Promise<CompactionResult> {
  const { branch, model, settings, reason } = input;
  const pruned = planPrune(branch, model.contextWindow);
  if (reason === "manual") return pruned;
  const saved = pruned.type === "prune" ? pruned.entry.tokensSaved : 0;
  const fits =
    measureContext(input).tokens - saved <= thresholdTokens(model.contextWindow, settings);
  // Whoever says that it does not fit knows better than an estimate.
  const isRefused = reason === "overflow" || reason === "incomplete";
  if (fits && (pruned.type === "prune" || !isRefused)) return pruned;
  return summarise(input, deps);
}

/** Looks through the context once; to be asked when room is short, not every turn. */
function planPrune(branch: readonly SessionEntry[], contextWindow: number): CompactionResult {
  const protectedTokens = Math.min(PROTECTED_TOKENS, contextWindow * PROTECTED_SHARE);
  const leastSaved = Math.min(MIN_SAVED_TOKENS, contextWindow * MIN_SAVED_SHARE);
  const already = prunedIn(branch);
  const cut = latestCut(branch);
  const start = cut ? cut.keptFrom : 0;
  const entryIds: string[] = [];
  let seen = 0;
  let tokensSaved = 0;
  for (let at = branch.length - 1; at >= start; at--) {
    const entry = branch[at]!;
    if (!isResult(entry) || already.has(entry.id)) continue;
    const tokens = messagesTokens(messagesOf(entry));
    const newer = seen;
    seen += tokens;
    // The newest stays, however long it is.
    if (newer < protectedTokens || NEVER_PRUNED.has(entry.message.toolName)) continue;
    const saved = tokens - messagesTokens(messagesOf(entry, new Set([entry.id])));
    if (saved <= 0) continue;
    entryIds.unshift(entry.id);
    tokensSaved += saved;
  }
  if (tokensSaved < leastSaved) return dropped("nothing_to_prune");
  return { type: "prune", entry: { type: "prune", entryIds, tokensSaved } };
}
