// How the interactive mode behaves, as settings.

import { flag, oneOf } from "../config/setting.ts";
import { settingGroup, type GroupValues } from "../config/setting-group.ts";

export const INTERACTION_ROWS = settingGroup("", "In the terminal", {
  doubleEscapeAction: oneOf(
    ["tree", "branch", "none"],
    "tree",
    "What pressing Esc twice on an empty prompt opens",
  ),
  hideThinkingBlock: flag(false, "Hide the model's thinking; show only how long it took"),
  autoResume: flag(false, "Start by resuming the directory's last session"),
});

export const TERMINAL_ROWS = settingGroup("terminal", "Terminal features", {
  showImages: flag(true, "Show images, if the terminal supports them"),
  notify: oneOf(
    ["unfocused", "always", "never"],
    "unfocused",
    "When to notify you that an answer is ready or a question is waiting",
  ),
  title: flag(true, "Show the session's title as the terminal's title"),
});

export const TUI_ROWS = settingGroup("tui", "Drawing", {
  hyperlinks: oneOf(["auto", "always", "off"], "auto", "Clickable links"),
});

export interface InteractionSettings
  extends
    GroupValues<typeof INTERACTION_ROWS>,
    GroupValues<typeof TERMINAL_ROWS>,
    GroupValues<typeof TUI_ROWS> {}
