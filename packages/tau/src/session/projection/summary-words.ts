// What stands in a conversation where it was summarised.

import type { SummaryBlock } from "./block.ts";

export function summaryWords({ of, size }: Pick<SummaryBlock, "of" | "size">): string {
  if (of === "branch") return "The branch that was left is summarised here.";
  if (!size) return "The conversation was summarised here.";
  const words = (count: number): string => count.toLocaleString("en-US");
  return `The conversation was summarised: ${words(size.before)} tokens became ${words(size.after)}.`;
}
