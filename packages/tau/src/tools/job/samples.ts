// Sample calls for the gallery: background jobs.

import type { SampleCall } from "../../feature-api/sample-call.ts";

export const SAMPLES: readonly SampleCall[] = [
  {
    name: "job",
    arguments: { poll: ["bg_1", "bg_12"] },
    written: { poll: ["bg_1"] },
    output: "bg_1 (running, 3.0 s): npm run dev\nbg_12 (running, 61.2 s): cargo build",
    done: {
      text: "## Ended (1)\nbg_12 (completed, 64.0 s): cargo build\nFinished",
      details: {
        jobs: [
          { id: "bg_1", type: "bash", status: "running", label: "npm run dev", durationMs: 5800 },
          {
            id: "bg_12",
            type: "bash",
            status: "completed",
            label: "cargo build --release",
            durationMs: 64_000,
            resultText: "   Compiling shop v0.1.0\n    Finished in 63.7 s",
          },
          {
            id: "bg_13",
            type: "bash",
            status: "failed",
            label: "make",
            durationMs: 200,
            errorText: "make: no rule\n[exit code 2]",
          },
        ],
      },
    },
    failed: "list goes alone: leave out poll and cancel.",
  },
];
