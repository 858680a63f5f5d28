// Whether a rule watches the stream instead of standing in the prompt: it has a condition, on
// text or on code, under one of the names that this has had.

import type { DiscoveredItem } from "./item.ts";

const NAMES = ["condition", "astCondition", "ttsr_trigger", "ttsrTrigger"];

export function watchesStream({ kind, frontmatter }: DiscoveredItem): boolean {
  return kind === "rules" && NAMES.some((name) => frontmatter[name] !== undefined);
}
