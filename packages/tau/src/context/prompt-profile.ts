// How much a model is told: everything, or, where its window is small or the user says so, a few words
// and the six tools that all work comes down to. What users and projects have to say is told either way.

import type { Model } from "@tau/ai/model";
import type { Tool } from "@tau/agent/tool";
import { oneOf } from "../config/setting.ts";
import { settingGroup } from "../config/setting-group.ts";
import type { Settings } from "../config/settings.ts";
import bash from "./small-profile/bash.md" with { type: "text" };
import edit from "./small-profile/edit-replace.md" with { type: "text" };
import find from "./small-profile/find.md" with { type: "text" };
import read from "./small-profile/read.md" with { type: "text" };
import search from "./small-profile/search.md" with { type: "text" };
import write from "./small-profile/write.md" with { type: "text" };

export const PROMPT_ROWS = settingGroup("prompt", "System prompt", {
  profile: oneOf(
    ["auto", "full", "small"],
    "auto",
    "Size of the system prompt: full, small (basic tools), or by context window",
  ),
});

export type PromptProfile = "full" | "small";

/** Up to here the full prompt would be a tenth of the window before anything was said. */
const SMALL_WINDOW_TOKENS = 32_768;

export function profileFor(
  { contextWindow }: Pick<Model, "contextWindow">,
  settings: Settings,
): PromptProfile {
  const { profile } = settings.group(PROMPT_ROWS);
  if (profile !== "auto") return profile;
  return contextWindow <= SMALL_WINDOW_TOKENS ? "small" : "full";
}

export const SMALL_TOOLS: readonly string[] = ["read", "write", "edit", "search", "find", "bash"];

const SHORT: Readonly<Record<string, string>> = { read, write, search, find, bash };

/** The same tools in fewer words. `edit` only where it speaks the language that these are about. */
export function inFewWords(tools: readonly Tool[], editMode: string): Tool[] {
  const words: Readonly<Record<string, string>> =
    editMode === "replace" ? { ...SHORT, edit } : SHORT;
  return tools.map((tool) => {
    const description = words[tool.name]?.trim();
    return description === undefined ? tool : { ...tool, description };
  });
}
