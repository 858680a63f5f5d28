// The cheapest way to make room: old tool results are left out of the context, the calls stay.
// Done only where it saves much, because every pruning costs the vendor's prompt cache.

import type { SessionEntry } from "../../session/entry.ts";
import { latestCut, prunedIn } from "../../session/context/build-context.ts";
import { isResult, messagesOf } from "../../session/context/entry-messages.ts";
import { messagesTokens } from "../../session/context/message-tokens.ts";
import {
  dropped,
  type CompactionInput,
  type CompactionResult,
  type CompactionStrategy,
} from "./strategy.ts";

/** Tokens of the newest results, which the model is likely to be working with. */
const PROTECTED_TOKENS = 40_000;
/** Below this, what is saved does not pay for a request without the prompt cache. */
const MIN_SAVED_TOKENS = 20_000;
/** Their results are what the agent works from, and would have to be fetched again. */
const NEVER_PRUNED: ReadonlySet<string> = new Set(["skill", "read"]);

export const pruneStrategy: CompactionStrategy = {
  name: "prune",
  compact: (input: CompactionInput): Promise<CompactionResult> =>
    Promise.resolve(planPrune(input.branch)),
};

/** Looks through the context once; to be asked when room is short, not every turn. */
export function planPrune(branch: readonly SessionEntry[]): CompactionResult {
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
    seen += tokens;
    if (seen <= PROTECTED_TOKENS || NEVER_PRUNED.has(entry.message.toolName)) continue;
    const saved = tokens - messagesTokens(messagesOf(entry, new Set([entry.id])));
    if (saved <= 0) continue;
    entryIds.unshift(entry.id);
    tokensSaved += saved;
  }
  if (tokensSaved < MIN_SAVED_TOKENS) return dropped("nothing_to_prune");
  return { type: "prune", entry: { type: "prune", entryIds, tokensSaved } };
}
