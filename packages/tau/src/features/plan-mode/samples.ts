// Sample calls for the gallery: a plan that is handed in.

import type { SampleCall } from "../../feature-api/sample-call.ts";

const PLAN = `## What changes

1. \`src/lock.ts\`: take the lock before the log is read.
2. \`src/log.ts\`: read only what was acknowledged.

## How it is checked

- \`npm test -- lock\`, with two processes`;

export const SAMPLES: readonly SampleCall[] = [
  {
    name: "submit_plan",
    arguments: { title: "Lock sessions before they are read", plan: PLAN },
    written: { title: "Lock sessions before they are read", plan: "## What changes\n\n1. `src/lo" },
    done: { text: "The user has approved the plan.", details: {} },
    failed: "The plan is empty.",
  },
];
