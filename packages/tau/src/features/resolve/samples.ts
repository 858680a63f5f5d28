// Sample calls for the gallery: settling a preview.

import type { SampleCall } from "../../feature-api/sample-call.ts";

export const SAMPLES: readonly SampleCall[] = [
  {
    name: "resolve",
    arguments: { action: "apply", reason: "It is what was asked for.", id: "preview-1" },
    written: { action: "apply" },
    done: {
      text: "Applied 2 replacements in 2 files.\n¶src/log.ts#9K2M\n¶src/main.ts#7P4Q",
      details: {
        action: "apply",
        preview: { id: "preview-1", label: "rewrite console.log($$$A): 2 replacements in 2 files" },
        of: { applied: true, totalReplacements: 2 },
      },
    },
    failed: "src/log.ts is no longer what the preview was made from, so nothing was written.",
  },
];
