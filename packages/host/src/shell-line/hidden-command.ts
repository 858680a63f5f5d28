// Text that waits to be run: where bash asks for a number, a name with an index is looked up, and
// what the index runs is run, even if it came out of single quotes.

import type { Field } from "./field.ts";

export const HIDDEN_COMMAND = "an index in it has commands";
export const PROMPT_COMMAND = "a prompt in it has commands";

const PROMPTS = /^(?:PS[0-4]|PROMPT_COMMAND)$/;

/** What bash prints before a line, or before a command with `set -x`, is run first. */
export function isPromptWithCommand(name: string, { text, prefix }: Field): boolean {
  return PROMPTS.test(name) && /\$\(|`/.test(text ?? prefix);
}

export function hasHiddenCommand({ text, prefix }: Field): boolean {
  return /\[[^\]]*(?:\$\(|`)/.test(text ?? prefix);
}
