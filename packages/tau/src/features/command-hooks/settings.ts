// Commands that run at events, in the form in which other tools have them. They are read where they
// stand, file by file: those of a project count only if it is trusted.

import { map } from "../../config/setting.ts";
import { settingGroup } from "../../config/setting-group.ts";

export const HOOK_ROWS = settingGroup("", "Hooks", {
  hooks: map(
    'Hooks: commands that run at events: `{"Stop": [{"hooks": [{"type": "command", "command": "…"}]}]}`',
  ),
});
