// Which edit language a patch is written in, by the first row that only one of them has.

import type { TextMode } from "./plan-edit.ts";

const SIGNS: readonly [RegExp, TextMode][] = [
  [/^\s*(?:\*{3}\s*)?(?:(?:Update|Add)(?: File)?:\s*)?¶/i, "hashline"],
  [/^\s*\*{3}\s*(?:Add|Delete|Update) File:/i, "apply_patch"],
  [/^(?:diff --git |--- |@@)/, "patch"],
];

/** Undefined for what is none of them. */
export function detectMode(input: string): TextMode | undefined {
  for (const row of input.split("\n")) {
    const found = SIGNS.find(([sign]) => sign.test(row));
    if (found) return found[1];
  }
  return undefined;
}
