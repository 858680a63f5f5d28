// Red and green are what most people who see colours differently cannot tell apart. A theme whose
// good and bad rest on them gets those colours from a palette of blue and orange; the rest of it
// stays as its author wanted it.

import { DEFAULT_THEMES } from "./default-themes.ts";
import { readTheme, type ResolvedTheme } from "./theme-document.ts";
import type { ThemeToken } from "./tokens.ts";

/** Where a colour alone says good or bad. */
const TELLING: readonly ThemeToken[] = [
  "success",
  "error",
  "toolDiffAdded",
  "toolDiffRemoved",
  "toolSuccessBg",
  "toolErrorBg",
  "statusLineGitClean",
  "statusLineStaged",
  "statusLineUntracked",
];

export function withColorBlindPalette(
  theme: ResolvedTheme,
  background: "dark" | "light",
): ResolvedTheme {
  const palette = readTheme(DEFAULT_THEMES.get(`${background}-colorblind`), (name) =>
    DEFAULT_THEMES.get(name),
  );
  // Its own themes being sound is tested.
  if (!palette.ok) throw new Error(palette.mistakes.join(" "));
  const colors = { ...theme.colors };
  for (const token of TELLING) colors[token] = palette.theme.colors[token];
  return { ...theme, colors };
}
