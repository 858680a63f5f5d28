// How things look, as settings.

import { flag, oneOf, text } from "../config/setting.ts";
import { settingGroup, type GroupValues } from "../config/setting-group.ts";
import type { Settings } from "../config/settings.ts";

export const THEME_ROWS = settingGroup("theme", "Themes", {
  dark: text("dark", "Theme for dark backgrounds: a built-in theme or your own"),
  light: text("light", "Theme for light backgrounds"),
});

export const DISPLAY_ROWS = settingGroup("", "Display", {
  symbolPreset: oneOf(
    ["auto", "unicode", "nerd", "ascii"],
    "auto",
    "Symbol set; `auto` leaves it to the theme",
    { aliases: { default: "auto", nerdfont: "nerd", "nerd-font": "nerd" } },
  ),
  colorBlindMode: flag(false, "Use colours other than red and green for success and failure"),
});

export type DisplaySettings = GroupValues<typeof DISPLAY_ROWS> & {
  theme: GroupValues<typeof THEME_ROWS>;
};

export function displaySettings(settings: Settings): DisplaySettings {
  return { ...settings.group(DISPLAY_ROWS), theme: settings.group(THEME_ROWS) };
}
