// What the model is told before anything else: what is lying around for it, and Tau's own words.

import type { Settings } from "../config/settings.ts";
import { GATHERED } from "../context/gathered.ts";
import type { Instructions } from "../context/gather-instructions.ts";
import { instructionSettingsFrom } from "../context/instruction-settings.ts";
import { promptParts, type PromptPart, type PromptWishes } from "../context/system-prompt.ts";
import type { Project } from "../project/project.ts";
import { BASH_ROWS } from "../tools/bash/settings.ts";
import type { PlacedOptions } from "./assemble-session.ts";

/** What is lying around for models; nothing if the caller brings words of its own. */
export async function gather(
  { cwd, env, system, parent }: PlacedOptions,
  { readsFiles, settings }: Project,
): Promise<Instructions | undefined> {
  if (system || !readsFiles) return undefined;
  // An agent goes by what its parent was told; in a tree of its own it has the same files.
  const known = parent?.part(GATHERED);
  if (known) return { ...known, notices: [] };
  const { gatherInstructions } = await import("../context/gather-instructions.ts");
  return gatherInstructions({ cwd, env, settings: instructionSettingsFrom(settings) });
}

export function systemPromptOf(
  { cwd, systemPrompt, appendSystemPrompt, system, agentWords }: PlacedOptions,
  settings: Settings,
  told: Pick<PromptWishes, "model" | "profile" | "found">,
): PromptPart[] {
  const { shellPath } = settings.group(BASH_ROWS);
  const date = new Date().toISOString().slice(0, 10);
  const own = agentWords === undefined ? [] : [{ name: "agent", text: agentWords }];
  if (system) return [...system.map((text) => ({ name: "instructions", text })), ...own];
  const parts = promptParts(
    { cwd, platform: process.platform, shellPath, date },
    { ...told, system: systemPrompt, append: appendSystemPrompt },
  );
  return [...parts, ...own];
}
