// The shortest way to a theme that is surely there.

import { DEFAULT_THEMES } from "./default-themes.ts";
import { readTheme } from "./theme-document.ts";
import { createTheme, type Theme, type ThemeOptions } from "./theme.ts";

export function builtInTheme(name: string, options: ThemeOptions): Theme {
  const reading = readTheme(DEFAULT_THEMES.get(name), (parent) => DEFAULT_THEMES.get(parent));
  // Its own themes being sound is tested; a wrong name is a bug of the caller.
  if (!reading.ok) throw new Error(`Built-in theme "${name}": ${reading.mistakes.join(" ")}`);
  return createTheme(reading.theme, options);
}

/** No colours and no attributes: for files, tests and terminals that have neither. */
export const colourlessTheme = (): Theme =>
  builtInTheme("dark", { depth: "none", attributes: "none" });
