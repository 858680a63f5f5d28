// Words of an extension that carry their own colours, as spans of one row: what is not a colour is gone,
// and none of them is wider than its place.

import { cleanLine } from "@tau/tui/components/clean-text";
import type { Span } from "@tau/tui/components/spans";
import { clampRow, displayWidth } from "@tau/tui/width";

export function colouredSpans(words: string, columns: number): Span[] {
  const plain = cleanLine(words.replace(/[\r\n]+/g, " "));
  if (plain.trim() === "") return [];
  const row = clampRow(words.replace(/[\r\n]+/g, " "), columns);
  const text = displayWidth(plain) > columns ? cleanLine(row) : plain;
  // Cut further, it is shown without its colours: an escape is never cut.
  return [{ text, paint: (shown) => (shown === text ? row : shown) }];
}
