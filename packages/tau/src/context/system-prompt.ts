// What the model is told before anything else: a block that never changes, then one that
// changes only with the place, so that a vendor's prompt cache can keep the first.

import instructions from "./system-prompt.md" with { type: "text" };

export function buildSystemPrompt(place: { cwd: string; platform: string }): string[] {
  return [instructions.trim(), `Working directory: ${place.cwd}\nPlatform: ${place.platform}`];
}
