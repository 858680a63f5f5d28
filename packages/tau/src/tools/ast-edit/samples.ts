// Sample calls for the gallery: rewriting by syntax.

import type { SampleCall } from "../../feature-api/sample-call.ts";

const REWRITE = `¶src/log.ts#F1Y4
 1:import { log } from "./log";
-2:console.log(message);
+2:log.info(message);

¶src/main.ts#B2C3
-7:console.log("started", port);
+7:log.info("started", port);

2 replacements in 2 files (14 files searched).

Nothing is written yet. Call resolve to apply or discard it (preview-1).`;

export const SAMPLES: readonly SampleCall[] = [
  {
    name: "ast_edit",
    arguments: { ops: [{ pat: "console.log($$$A)", out: "log.info($$$A)" }], paths: ["src"] },
    written: { ops: [{ pat: "console.log($$$A)", out: "log" }] },
    done: {
      text: REWRITE,
      details: { applied: false, totalReplacements: 2, filesTouched: 2, preview: "preview-1" },
    },
    failed: "ops[0].pat is empty: write the code to look for.",
  },
];
