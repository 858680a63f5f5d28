// The colours and signs themselves: what a theme's author looks at.

import { SYMBOL_NAMES } from "@tau/tui/theme/symbols";
import { BACKGROUND_TOKENS, FOREGROUND_TOKENS } from "@tau/tui/theme/tokens";
import { padRow } from "@tau/tui/width";
import type { GalleryLook, GallerySection } from "./gallery-section.ts";

const CELL_COLUMNS = 26;

function inColumns(cells: readonly string[], { columns }: GalleryLook): string[] {
  const across = Math.max(1, Math.floor(columns / CELL_COLUMNS));
  const rows: string[] = [];
  for (let at = 0; at < cells.length; at += across) {
    const row = cells.slice(at, at + across).map((cell) => padRow(cell, CELL_COLUMNS));
    rows.push(padRow(row.join("").trimEnd(), Math.min(columns, across * CELL_COLUMNS)).trimEnd());
  }
  return rows;
}

export const themeSection: GallerySection = {
  name: "theme",
  about: "colours and signs",
  items: [
    {
      name: "colours",
      rows: (look) =>
        inColumns(
          FOREGROUND_TOKENS.map((token) => look.theme.style(token)(token)),
          look,
        ),
    },
    {
      name: "backgrounds",
      rows: (look) =>
        inColumns(
          BACKGROUND_TOKENS.map((token) => look.theme.style(token)(` ${token} `)),
          look,
        ),
    },
    {
      name: "signs",
      rows: (look) =>
        inColumns(
          SYMBOL_NAMES.map((name) => `${look.theme.symbols[name]} ${name}`),
          look,
        ),
    },
  ],
};
