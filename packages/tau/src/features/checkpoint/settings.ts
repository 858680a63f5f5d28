// Whether the model can set a checkpoint.

import { flag } from "../../config/setting.ts";
import { settingGroup } from "../../config/setting-group.ts";

export const CHECKPOINT_ROWS = settingGroup("checkpoint", "Checkpoints", {
  enabled: flag(
    false,
    "Whether the model can set a checkpoint before it explores, and replace what follows by a report",
  ),
});
