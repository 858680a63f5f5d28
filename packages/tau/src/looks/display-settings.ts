// How things look, as settings.

import { flag, oneOf, text } from "../config/setting.ts";
import { settingGroup, type GroupValues } from "../config/setting-group.ts";
import type { Settings } from "../config/settings.ts";

export const THEME_ROWS = settingGroup("theme", "Themes", {
  dark: text("dark", "The theme on a dark background: a built-in one or one of yours"),
  light: text("light", "The theme on a light background"),
});

export const DISPLAY_ROWS = settingGroup("", "Display", {
  symbolPreset: oneOf(
    ["auto", "unicode", "nerd", "ascii"],
    "auto",
    "The signs that are drawn; auto leaves it to the theme",
    { aliases: { default: "auto", nerdfont: "nerd", "nerd-font": "nerd" } },
  ),
  colorBlindMode: flag(false, "Tell good from bad without red and green"),
});

export type DisplaySettings = GroupValues<typeof DISPLAY_ROWS> & {
  theme: GroupValues<typeof THEME_ROWS>;
};

export function displaySettings(settings: Settings): DisplaySettings {
  return { ...settings.group(DISPLAY_ROWS), theme: settings.group(THEME_ROWS) };
}
