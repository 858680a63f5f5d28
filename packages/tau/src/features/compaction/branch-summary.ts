// A note about an attempt that the user left by going back in the tree: what it found and
// changed, for the attempt that goes on from the earlier point.

import { userText } from "@tau/ai/message";
import type { Model } from "@tau/ai/model";
import type { NewEntry, SessionEntry } from "../../session/entry.ts";
import { messagesOf } from "../../session/context/entry-messages.ts";
import { textTokens } from "../../base/message-tokens.ts";
import { FileOperations } from "./file-operations.ts";
import branchTask from "./prompts/branch-summary.md" with { type: "text" };
import summarySystem from "./prompts/summary-system.md" with { type: "text" };
import { parseAnswer } from "./constraints.ts";
import { summaryTokens } from "./roll-up.ts";
import { cutMiddle, quoted, serialiseMessages } from "./serialise-conversation.ts";
import type { CompactionDeps } from "./strategy.ts";

/** Tokens kept free for the prompt and the answer. */
export const BRANCH_SUMMARY_RESERVE_TOKENS = 16_384;
/** Older messages are left out past the budget, but a summary near its edge says much for little. */
const EDGE_SHARE = 0.9;

export interface BranchSummaryInput {
  /** What is left, oldest first; not empty for a summary. */
  entries: readonly SessionEntry[];
  model: Model;
  /** Replaces the built-in task. */
  instructions?: string;
  reserveTokens?: number;
}

/** Undefined where nothing was said on that branch, or the model had nothing to say of it. */
export async function summariseBranch(
  input: BranchSummaryInput,
  deps: Pick<CompactionDeps, "ask">,
): Promise<Extract<NewEntry, { type: "branch_summary" }> | undefined> {
  const { entries, model } = input;
  const reserve = input.reserveTokens ?? BRANCH_SUMMARY_RESERVE_TOKENS;
  const window = model.contextWindow;
  const budget = Math.max(window - reserve, Math.floor(window / 2));
  const { text, omitted } = newestWithin(entries, budget);
  const fromId = entries.at(-1)?.id;
  if (text === "" || fromId === undefined) return undefined;
  const left = omitted > 0 ? `(${omitted} older messages are left out.)\n\n` : "";
  const prompt = `${quoted("conversation", left + text)}\n\n${(input.instructions ?? branchTask).trim()}`;
  const answer = await deps.ask({
    system: [summarySystem.trim()],
    messages: [userText(prompt)],
    maxOutput: summaryTokens(model, reserve, window),
  });
  const { narrative } = parseAnswer(answer);
  if (narrative === "") return undefined;
  const files = new FileOperations();
  for (const entry of entries) {
    if (entry.type === "compaction" && !entry.fromExtension) files.addDetails(entry.details);
  }
  files.addEntries(entries);
  const summary = [narrative, files.render()].filter((part) => part !== "").join("\n\n");
  return { type: "branch_summary", fromId, summary, details: files.details() };
}

function newestWithin(
  entries: readonly SessionEntry[],
  budget: number,
): { text: string; omitted: number } {
  const texts: string[] = [];
  let tokens = 0;
  let omitted = 0;
  for (const entry of entries.toReversed()) {
    const text = serialiseMessages(messagesOf(entry));
    if (text.trim() === "") continue;
    const weight = textTokens(text);
    const isSummary = entry.type === "compaction" || entry.type === "branch_summary";
    const fits = tokens + weight <= budget || (isSummary && tokens < budget * EDGE_SHARE);
    // One message that fills the window by itself is better cut than missing.
    if (!fits && texts.length === 0) {
      texts.push(cutMiddle(text, budget));
      tokens = budget;
      continue;
    }
    if (omitted > 0 || !fits) {
      omitted++;
      continue;
    }
    texts.unshift(text);
    tokens += weight;
  }
  return { text: texts.join("\n\n"), omitted };
}
