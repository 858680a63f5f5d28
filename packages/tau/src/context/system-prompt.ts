// What the model is told before anything else, in blocks that change as seldom as they can, so
// that a vendor's prompt cache keeps them: Tau's words, what the user adds, and the place.

import type { Model } from "@tau/ai/model";
import type { Instructions, Listed } from "./gather-instructions.ts";
import type { PromptProfile } from "./prompt-profile.ts";
import { variantFor } from "./prompt-variants.ts";
import fewWords from "./small-profile/system-prompt.md" with { type: "text" };
import instructions from "./system-prompt.md" with { type: "text" };

export interface PromptPlace {
  cwd: string;
  platform: string;
  /** The shell that the settings name; by platform where absent. */
  shellPath?: string;
  /** `2026-11-15`; a day is how long the last block stays the same. */
  date: string;
}

export interface PromptWishes {
  /** Instead of Tau's own words. */
  system?: string;
  /** Behind them. */
  append?: string;
  found?: Instructions;
  /** Whom it is told to; in general words where absent. */
  model?: Pick<Model, "id">;
  profile?: PromptProfile;
}

export interface PromptPart {
  name: string;
  text: string;
}

/** The blocks with what they are, for whoever wants to look at them. */
export function promptParts(place: PromptPlace, wishes: PromptWishes = {}): PromptPart[] {
  const { found } = wishes;
  const system = wishes.system ?? found?.system;
  const append = wishes.append ?? found?.append;
  const own = { name: "instructions", text: (system ?? ownWords(wishes)).trim() };
  const added = append === undefined ? [] : [{ name: "appended", text: append.trim() }];
  const project = projectPart(found);
  const footer = { name: "environment", text: footerText(place) };
  const rest = [...(project ? [project] : []), footer];
  return system === undefined ? [own, ...rest, ...added] : [own, ...added, ...rest];
}

function ownWords({ model, profile = "full" }: PromptWishes): string {
  if (profile === "small") return fewWords;
  const variant = model && variantFor(model);
  return variant ? `${instructions.trim()}\n\n${variant.words.trim()}` : instructions;
}

function projectPart(found: Instructions | undefined): PromptPart | undefined {
  if (!found) return undefined;
  const { contextFiles, rules, rulebook, skills } = found;
  const sections = [
    ...contextFiles.map(
      ({ shown, text }) => `<instructions from="${shown}">\n${text}\n</instructions>`,
    ),
    ...rules.map(({ shown, text }) => `<rule name="${shown}">\n${text}\n</rule>`),
    listed("Rules that may apply; read rule://NAME before you do what one is about:", rulebook),
    listed("Skills; read skill://NAME when a task calls for one:", skills),
  ].filter((section) => section !== "");
  return sections.length === 0 ? undefined : { name: "project", text: sections.join("\n\n") };
}

function listed(title: string, items: readonly Listed[]): string {
  if (items.length === 0) return "";
  const rows = items.map(({ name, description, globs }) => {
    const where = globs === undefined ? "" : ` (${globs})`;
    return `- ${name}${where}: ${description.replaceAll(/\s+/g, " ").trim()}`;
  });
  return [title, ...rows].join("\n");
}

function footerText({ cwd, platform, shellPath, date }: PromptPlace): string {
  const shell = shellPath || (platform === "win32" ? "PowerShell" : "bash");
  return `Working directory: ${cwd}\nPlatform: ${platform}, shell ${shell}\nDate: ${date}`;
}
