// How commands are run.

import { amount, flag } from "../../config/setting.ts";
import { defaultsOf, settingGroup, type GroupValues } from "../../config/setting-group.ts";

export const BASH_ROWS = settingGroup("bash", "Commands", {
  "autoBackground.enabled": flag(
    false,
    "Whether a command that takes long becomes a job by itself",
  ),
  "autoBackground.thresholdMs": amount(60_000, "After how long", { min: 1000, unit: "ms" }),
});

export type BashSettings = GroupValues<typeof BASH_ROWS>;

export const DEFAULT_BASH_SETTINGS: BashSettings = defaultsOf(BASH_ROWS);
