// Sample calls for the gallery: finding files.

import type { SampleCall } from "../../feature-api/sample-call.ts";

export const SAMPLES: readonly SampleCall[] = [
  {
    name: "find",
    arguments: { paths: ["src/**/*.ts"] },
    written: { paths: ["src/**"] },
    output: "src/total.ts\nsrc/disk.ts",
    done: {
      text: "# src/\ntotal.ts\ndisk.ts\nlog.ts\nmain.ts\nvalues.ts\nprices.ts",
      details: {
        fileCount: 6,
        matched: 240,
        files: "total disk log main values prices".split(" ").map((name) => `src/${name}.ts`),
      },
    },
    failed: "limit is a number of paths from 1 to 200.",
  },
];
