// The usual strategy: the model writes down what the older part of the conversation was about,
// taking along what the previous summary said. Where the cut goes through a turn, the turn's
// beginning gets a summary of its own, so that its end is not read without it.

import { messagesOf } from "../../session/context/entry-messages.ts";
import { framesOf } from "../../session/context/preserved-data.ts";
import type { ImageBlock, Message } from "@tau/ai/message";
import type { CompactionEntry, SessionEntry } from "../../session/entry.ts";
import { composeSummary, filesOf, recall } from "./compose-summary.ts";
import { planCompaction } from "./plan-compaction.ts";
import summaryFirst from "./prompts/summary-first.md" with { type: "text" };
import summaryTurn from "./prompts/summary-turn.md" with { type: "text" };
import { rollUp, type RolledUp } from "./roll-up.ts";
import {
  dropped,
  type CompactionDeps,
  type CompactionInput,
  type CompactionResult,
  type CompactionStrategy,
} from "./strategy.ts";
import { collectWords, wordsBudget } from "./user-words.ts";

const TURN_HEADING = "\n\n---\n\n**Turn Context (split turn):**\n\n";

export const summaryStrategy: CompactionStrategy = { name: "summary", compact: summarise };

export async function summarise(
  input: CompactionInput,
  deps: CompactionDeps,
): Promise<CompactionResult> {
  const plan = planCompaction(input);
  if (!plan) return dropped("nothing_to_summarise");
  const memory = recall(plan.previous);
  // What the model saw only the ends of, its summary need not go through in a hundred parts.
  const { asSent = (messages) => messages } = input;
  const { narrative, constraints } = memory;
  const [history, turn] = await bothOf([
    rollUp({
      input,
      deps,
      messages: asSent(saidIn(plan.history)),
      task: input.prompt ?? summaryFirst,
      updateTask: input.prompt,
      narrative,
      constraints,
      frames: readableFrames(plan.previous, input),
    }),
    plan.turnPrefix.length === 0
      ? undefined
      : rollUp({
          input,
          deps,
          messages: asSent(saidIn(plan.turnPrefix)),
          task: summaryTurn,
          narrative: "",
          constraints: [],
        }),
  ]);
  if (history.narrative === "" || turn?.narrative === "") return dropped("empty_summary");
  const covered = [...plan.history, ...plan.turnPrefix];
  const { summary, details } = composeSummary({
    narrative: joined(history, turn),
    words: collectWords(covered, memory.details, wordsBudget(input.model.contextWindow)),
    constraints: [...new Set([...history.constraints, ...(turn?.constraints ?? [])])],
    files: filesOf(memory, covered),
  });
  return {
    type: "draft",
    draft: {
      summary,
      shortSummary: history.short,
      firstKeptEntryId: plan.firstKeptEntryId,
      details,
    },
  };
}

/** Nothing is being asked any more when this settles, also if one of them failed. */
async function bothOf<A, B>(work: readonly [Promise<A>, B | Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

/** What an earlier snapshot pictured is part of what there is to summarise. */
function readableFrames(
  previous: CompactionEntry | undefined,
  input: CompactionInput,
): readonly ImageBlock[] {
  const canRead = input.model.input.includes("image");
  return previous && canRead ? framesOf(previous) : [];
}

function joined(history: RolledUp, turn: RolledUp | undefined): string {
  return turn ? `${history.narrative}${TURN_HEADING}${turn.narrative}` : history.narrative;
}

/** Whole results, also those pruned since; an older summary is carried on by other means. */
export function saidIn(entries: readonly SessionEntry[]): Message[] {
  return entries
    .filter((entry) => entry.type !== "compaction")
    .flatMap((entry) => messagesOf(entry));
}
