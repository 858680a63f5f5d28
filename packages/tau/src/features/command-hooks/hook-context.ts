// What hooks say to the model, marked as theirs: it is neither the user's word nor Tau's.

import type { HookEvent } from "./hook-events.ts";

export function asContext(event: HookEvent, words: readonly string[]): string {
  return [`<hook event="${event}">`, words.join("\n\n"), "</hook>"].join("\n");
}
