// Sample calls of checkpoint and rewind.

import type { SampleCall } from "../../feature-api/sample-call.ts";

const GOAL = "Why does the nightly build fail?";
const REPORT = `The cache key in ci/build.yml (line 41) has no lockfile hash.

- Node 22 and 24 share a cache, so that native modules of one are loaded by the other.
- Fixed in ci/build.yml; nothing else is affected.
- Open: the old caches are still there until Friday.`;

export const SAMPLES: readonly SampleCall[] = [
  {
    name: "checkpoint",
    arguments: { goal: GOAL },
    written: { goal: "Why does the" },
    done: {
      text: `Checkpoint created.\nGoal: ${GOAL}\nRun your investigation, then call rewind with a concise report.`,
      details: { goal: GOAL, startedAt: "2026-03-01T12:00:00.000Z" },
    },
    failed: `A checkpoint is already active (${GOAL}). Call rewind with a report first.`,
  },
  {
    name: "rewind",
    arguments: { report: REPORT },
    written: { report: "The cache key in" },
    done: {
      text: "The report takes the place of everything since the checkpoint.",
      details: { goal: GOAL },
    },
    failed: "No checkpoint is active. Call checkpoint first.",
  },
];
