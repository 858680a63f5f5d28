// A dim row above what an extension draws, with its name: it may draw anything but that row.

import type { Component, Rendered } from "@tau/tui/component";
import type { Theme } from "@tau/tui/theme/theme";
import { fitLine } from "@tau/tui/width";
import { senderName } from "../../feature-api/sender.ts";

export function senderRow(from: string, theme: Theme, columns: number): string {
  return theme.style("dim")(fitLine(senderName(from), Math.max(1, columns)));
}

/** Nothing drawn has no title either. */
export function underTitle(
  drawing: Pick<Component, "render">,
  { from, theme, columns }: { from: string; theme: Theme; columns: number },
): Rendered {
  const { rows, caret } = drawing.render(columns);
  if (rows.length === 0) return { rows, stableRows: 0 };
  return {
    rows: [senderRow(from, theme, columns), ...rows],
    stableRows: 0,
    caret: caret && { row: caret.row + 1, column: caret.column },
  };
}
