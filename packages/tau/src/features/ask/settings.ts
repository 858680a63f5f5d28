// How long a question of the model waits, and whether somebody who looks elsewhere is called to it.

import { amount, flag } from "../../config/setting.ts";
import { settingGroup } from "../../config/setting-group.ts";

export const ASK_ROWS = settingGroup("ask", "Questions", {
  timeout: amount(
    0,
    "After how long without a key press a question takes its recommended answer; 0: never",
    { min: 0, max: 86_400, unit: "s" },
  ),
  notify: flag(true, "Whether the terminal notifies you when the model asks a question"),
});
