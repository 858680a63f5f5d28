// The page on themes names what there is, and its example is a theme.

import { expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { DEFAULT_THEMES } from "@tau/tui/theme/default-themes";
import { SYMBOL_NAMES } from "@tau/tui/theme/symbols";
import { EXPORT_TOKENS } from "@tau/tui/theme/theme-document";
import { THEME_TOKENS } from "@tau/tui/theme/tokens";
import { PAGES } from "../../../resources/docs-scheme.ts";
import { loadTheme } from "./theme-files.ts";

const { default: page } = await PAGES.themes!();
const inTicks = (text: string): string[] =>
  [...text.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map((match) => match[1]!);
const part = (title: string): string => page.split(`\n## ${title}\n`)[1]!.split("\n## ")[0]!;

test("every colour and every sign is on the page, and no other", () => {
  const colours = inTicks(part("Colours")).filter((word) => word !== "export");
  expect(colours.toSorted()).toEqual([...THEME_TOKENS, ...EXPORT_TOKENS].toSorted());
  for (const name of SYMBOL_NAMES) expect(inTicks(part("Symbols"))).toContain(name);
  for (const name of DEFAULT_THEMES.keys()) expect(page).toContain(`| \`${name}\` `);
});

test("the example is a theme", async () => {
  await using scratch = await createScratchDirectory();
  const [, example] = /```json my-theme\.json\n([\s\S]*?)```/.exec(page)!;
  await scratch.write("my-theme.json", example!);
  const loaded = await loadTheme("my-theme", scratch.root);
  expect(loaded).toMatchObject({ ok: true, warnings: [], theme: { name: "my-theme" } });
});
