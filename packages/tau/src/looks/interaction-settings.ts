// How the interactive mode behaves, as settings.

import { flag, oneOf } from "../config/setting.ts";
import { settingGroup, type GroupValues } from "../config/setting-group.ts";

export const INTERACTION_ROWS = settingGroup("", "In the terminal", {
  doubleEscapeAction: oneOf(
    ["tree", "branch", "none"],
    "tree",
    "What Esc twice on an empty prompt opens",
  ),
  hideThinkingBlock: flag(false, "Show only how long the model thought"),
  autoResume: flag(false, "Begin where the last session of the directory ended"),
});

export const TERMINAL_ROWS = settingGroup("terminal", "The terminal itself", {
  showImages: flag(true, "Show pictures where the terminal can"),
  notify: oneOf(
    ["unfocused", "always", "never"],
    "unfocused",
    "When the terminal tells that an answer is done or a question waits",
  ),
  title: flag(true, "Show the session in the terminal's title"),
});

export const TUI_ROWS = settingGroup("tui", "Drawing", {
  hyperlinks: oneOf(["auto", "always", "off"], "auto", "Whether links can be clicked"),
});

export interface InteractionSettings
  extends
    GroupValues<typeof INTERACTION_ROWS>,
    GroupValues<typeof TERMINAL_ROWS>,
    GroupValues<typeof TUI_ROWS> {}
