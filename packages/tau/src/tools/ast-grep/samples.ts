// Sample calls for the gallery: searching by syntax.

import type { SampleCall } from "../../feature-api/sample-call.ts";

export const SAMPLES: readonly SampleCall[] = [
  {
    name: "ast_grep",
    arguments: { pat: "total($$$ARGS)", paths: "src", lang: "ts" },
    written: { pat: "total($$" },
    done: {
      text: "¶src/total.ts#F1Y4\n*30:  return total([]);\n    $$$ARGS=[]\n\n1 match in 1 file (14 files searched).",
      details: { matchCount: 1, fileCount: 1, filesSearched: 14 },
    },
    failed: "The pattern is no code of any language here: a bracket is missing.",
  },
];
