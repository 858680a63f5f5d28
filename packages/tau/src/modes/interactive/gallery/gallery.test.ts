// Every row that the gallery draws, compared with its snapshot: whoever changes how something
// looks shows it (`bun test … -u`), and whoever did not mean to finds out.

import { expect, test } from "bun:test";
import { builtInTheme, colourlessTheme } from "@tau/tui/theme/built-in-theme";
import { DEFAULT_THEMES } from "@tau/tui/theme/default-themes";
import { SYMBOL_PRESETS } from "@tau/tui/theme/symbols";
import { displayWidth } from "@tau/tui/width";
import { SyntaxHighlighter } from "../../../highlight/syntax-highlighter.ts";
import { CODE_SAMPLE_LANGUAGES } from "./code-section.ts";
import { loadGallery } from "./gallery.ts";
import { chosenItems, namedItems, renderItem } from "./render-gallery.ts";

async function highlighterFor(theme = colourlessTheme()): Promise<SyntaxHighlighter> {
  const highlighter = new SyntaxHighlighter({ theme });
  await highlighter.preload(CODE_SAMPLE_LANGUAGES);
  return highlighter;
}

const GALLERY = await loadGallery();

for (const item of namedItems(GALLERY)) {
  for (const columns of [80, 200]) {
    test(`${item.name} at ${columns} columns`, async () => {
      const theme = colourlessTheme();
      const highlighter = await highlighterFor();
      const rows = await renderItem(item, { theme, columns, highlighter });
      expect(`\n${rows.join("\n")}`).toMatchSnapshot();
    });
  }
}

test("names are unique and lead to what they name", () => {
  const names = namedItems(GALLERY).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(chosenItems(GALLERY, "tools/bash").map(({ name }) => name)).toEqual(["tools/bash"]);
  expect(chosenItems(GALLERY, "dialogs").length).toBeGreaterThan(1);
  expect(chosenItems(GALLERY, "nothing")).toEqual([]);
});

test("everything fits, in every theme, with every set of signs, at any width", async () => {
  const themes = [
    ...[...DEFAULT_THEMES.keys()].map((name) => builtInTheme(name, { depth: "truecolor" })),
    ...SYMBOL_PRESETS.map((symbolPreset) => builtInTheme("dark", { depth: "16", symbolPreset })),
  ];
  for (const [at, theme] of themes.entries()) {
    const highlighter = await highlighterFor(theme);
    const columns = [10, 17, 33, 60, 121][at % 5]!;
    for (const item of namedItems(GALLERY)) {
      const rows = await renderItem(item, { theme, columns, highlighter });
      const wide = rows.filter((row) => displayWidth(row) > columns);
      expect([item.name, columns, wide]).toEqual([item.name, columns, []]);
    }
  }
});
