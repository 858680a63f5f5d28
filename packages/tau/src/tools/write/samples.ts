// Sample calls for the gallery: writing.

import type { SampleCall } from "../../feature-api/sample-call.ts";

const CREATED = Array.from({ length: 14 }, (_, at) => `export const value${at} = ${at};`).join(
  "\n",
);

const DIFF = `--- a/src/total.ts
+++ b/src/total.ts
@@ -3,6 +3,4 @@
 /** Of all prices, in cents. */
 export function total(prices: number[]): number {
-  let sum = 0;
-  for (const price of prices) sum += price;
-  return sum;
+  return prices.reduce((sum, price) => sum + price, 0);
 }
@@ -40,2 +38,3 @@
 export const EMPTY = [];
+export const ONE = [1];
 // the end
`;

export const SAMPLES: readonly SampleCall[] = [
  {
    name: "write",
    arguments: { path: "src/values.ts", content: `${CREATED}\n` },
    written: { path: "src/values.ts", content: CREATED.slice(0, 390) },
    done: {
      text: "Wrote 362 bytes to src/values.ts (a new file, 14 lines).",
      details: { path: "src/values.ts", op: "create", bytes: 362, lines: 14 },
    },
    failed: "src/values.ts is a binary file, so it was not overwritten with text.",
  },
  {
    name: "write",
    variant: "write-over",
    arguments: { path: "src/total.ts", content: "…" },
    written: { path: "src/total.ts" },
    done: {
      text: "Wrote 362 bytes to src/total.ts (60 lines).",
      details: { path: "src/total.ts", op: "update", bytes: 362, lines: 60, diff: DIFF },
    },
    failed: "It may not be written.",
  },
];
