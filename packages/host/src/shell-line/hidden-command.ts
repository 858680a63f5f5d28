// Text that waits to be run: where bash asks for a number, a name with an index is looked up, and
// what the index runs is run, even if it came out of single quotes.

import type { Field } from "./field.ts";

export const HIDDEN_COMMAND = "an index in it has commands";

export function hasHiddenCommand({ text, prefix }: Field): boolean {
  return /\[[^\]]*(?:\$\(|`)/.test(text ?? prefix);
}
