// Runs a strategy and weighs what it proposes. A compaction is taken only if the context it
// leads to is shorter than the one there is, and if it keeps from a place that the
// conversation can be cut at, whoever proposed it.

import type { CompactionEntry, NewEntry, SessionEntry } from "../../session/entry.ts";
import { buildContext, latestCut } from "../../session/context/build-context.ts";
import { isResult } from "../../session/context/entry-messages.ts";
import { isConversation } from "../../session/entry-kinds.ts";
import { messagesTokens } from "../../base/message-tokens.ts";
import { measureContext } from "./plan-compaction.ts";
import {
  dropped,
  type CompactionDeps,
  type CompactionDraft,
  type CompactionInput,
  type CompactionResult,
  type CompactionStrategy,
} from "./strategy.ts";

export type CompactionOutcome =
  | { type: "compaction"; entry: Extract<NewEntry, { type: "compaction" }> }
  | Exclude<CompactionResult, { type: "draft" }>;

/** What is to be appended, if anything. Rejects with what `ask` rejects with. */
export async function compact(
  strategy: CompactionStrategy,
  input: CompactionInput,
  deps: CompactionDeps,
): Promise<CompactionOutcome> {
  const result = await strategy.compact(input, deps);
  return result.type === "draft" ? weigh(result.draft, input, deps) : result;
}

/** Also for a draft that an extension supplied. */
export function weigh(
  draft: CompactionDraft,
  input: CompactionInput,
  deps: Pick<CompactionDeps, "reinject">,
): CompactionOutcome {
  if (!mayKeepFrom(input.branch, draft.firstKeptEntryId)) return dropped("bad_boundary");
  const entry = entryOf(draft, input, deps);
  const before = measureContext(input);
  const after = buildContext([...input.branch, { ...entry, ...UNWRITTEN }]);
  const estimated = before.overhead + messagesTokens(after.messages);
  if (estimated >= before.estimatedTokens) return dropped("no_gain");
  // Both sides by the same measure, that of the last reply where there is one.
  const tokensBefore = Math.max(1, before.tokens);
  const tokensAfter = Math.floor((tokensBefore * estimated) / before.estimatedTokens);
  return { type: "compaction", entry: { ...entry, tokensBefore, tokensAfter } };
}

/** Stands in for what the log will add. */
const UNWRITTEN = { id: "", parentId: null, timestamp: "" };

function entryOf(
  draft: CompactionDraft,
  input: CompactionInput,
  deps: Pick<CompactionDeps, "reinject">,
): Extract<NewEntry, { type: "compaction" }> {
  const reinjected = [...(deps.reinject?.() ?? []), ...(input.reinject ?? [])];
  const preserveData: CompactionEntry["preserveData"] = {
    ...input.preserveData,
    ...draft.preserveData,
  };
  // Only if there is something: the draft's own stays, and nothing at all is no data.
  if (reinjected.length > 0) preserveData.reinjected = reinjected;
  return {
    type: "compaction",
    ...draft,
    preserveData: Object.keys(preserveData).length === 0 ? undefined : preserveData,
    tokensBefore: 0,
    tokensAfter: 0,
  };
}

/** On the branch, not before what the previous compaction kept, and not at a result. */
function mayKeepFrom(branch: readonly SessionEntry[], id: string): boolean {
  const at = branch.findLastIndex((entry) => entry.id === id);
  const previous = latestCut(branch);
  const start = previous ? previous.keptFrom : 0;
  if (at < start) return false;
  const first = branch.slice(at).find(isConversation);
  return first === undefined || !isResult(first);
}
