// Sampling parameters, for users who want other values than the vendor's defaults.

import { amount } from "../../config/setting.ts";
import { settingGroup, type GroupValues } from "../../config/setting-group.ts";

const UNSET = -1;

export const SAMPLING_ROWS = settingGroup("", "Sampling", {
  temperature: amount(
    UNSET,
    "Sampling temperature: how varied replies are, 0 to 2; negative: not sent",
    {
      max: 2,
    },
  ),
  topP: amount(
    UNSET,
    "Nucleus sampling (top-p): share of probability, 0 to 1; negative: not sent",
    {
      max: 1,
    },
  ),
});

export type SamplingSettings = GroupValues<typeof SAMPLING_ROWS>;
