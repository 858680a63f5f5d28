// What the model is told after a compaction that interrupted its work. It is the application's
// word, not the user's, and no news to people.

import type { NewEntry } from "../../session/entry.ts";
import text from "./prompts/auto-continue.md" with { type: "text" };

export const AUTO_CONTINUE: Extract<NewEntry, { type: "custom_message" }> = {
  type: "custom_message",
  customType: "auto-continue",
  content: [{ type: "text", text: text.trim() }],
  display: false,
  attribution: "agent",
};
