// How words are drawn, for whoever wants it otherwise than the vendor.

import { amount } from "../../config/setting.ts";
import { settingGroup, type GroupValues } from "../../config/setting-group.ts";

const UNSET = -1;

export const SAMPLING_ROWS = settingGroup("", "Sampling", {
  temperature: amount(UNSET, "How much chance there is in a reply; below 0 nothing is sent", {
    max: 2,
  }),
  topP: amount(UNSET, "From which share of the likeliest words; below 0 nothing is sent", {
    max: 1,
  }),
});

export type SamplingSettings = GroupValues<typeof SAMPLING_ROWS>;
