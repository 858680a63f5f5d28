// How jobs are set up.

import { amount, flag, oneOf } from "../config/setting.ts";
import { defaultsOf, settingGroup, type GroupValues } from "../config/setting-group.ts";

const WAITS = { "5s": 5, "10s": 10, "30s": 30, "1m": 60, "5m": 300 } as const;

export const JOB_ROWS = settingGroup("async", "Background jobs", {
  enabled: flag(true, "Whether the model may run commands in the background"),
  maxJobs: amount(100, "Maximum number of concurrent jobs", { min: 1, max: 100 }),
  pollWaitDuration: oneOf(
    Object.keys(WAITS) as (keyof typeof WAITS)[],
    "30s",
    "Polling interval: how long the model waits for a job at a time",
  ),
});

export type JobSettings = GroupValues<typeof JOB_ROWS>;

export const DEFAULT_JOB_SETTINGS: JobSettings = defaultsOf(JOB_ROWS);

export function pollWaitMs({ pollWaitDuration }: JobSettings): number {
  return WAITS[pollWaitDuration] * 1000;
}
