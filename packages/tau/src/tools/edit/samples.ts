// Sample calls for the gallery: editing.

import type { SampleCall } from "../../feature-api/sample-call.ts";

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

const HASHLINE = `¶src/total.ts#F1Y4
replace 5..7:
+  return prices.reduce((sum, price) => sum + price, 0);
insert after 41:
+export const ONE = [1];`;

const APPLY_PATCH = `*** Begin Patch
*** Update File: src/total.ts
@@ export function total
-  let sum = 0;
+  let sum = 1;
*** Add File: src/new.ts
+export {};
*** End Patch`;

export const SAMPLES: readonly SampleCall[] = [
  {
    name: "edit",
    arguments: { input: HASHLINE },
    written: { input: HASHLINE.slice(0, 90) },
    done: {
      text: "¶src/total.ts#8FW6\n-5:  let sum = 0;\n+5:  return 0;",
      details: { path: "src/total.ts", op: "update", diff: DIFF, firstChangedLine: 5 },
    },
    failed:
      "src/total.ts has changed since it was read: its tag is now 9K2M.\nRead it again.\n\nNothing was changed.",
  },
  {
    name: "edit",
    variant: "edit-several",
    arguments: { input: APPLY_PATCH },
    written: { input: APPLY_PATCH.slice(0, 100) },
    done: {
      text: "src/total.ts:\n-5:  let sum = 0;\n+5:  let sum = 1;\n\nCreated src/new.ts (1 line)",
      details: {
        op: "update",
        diff: `--- a/src/total.ts\n+++ b/src/total.ts\n@@ -5,1 +5,1 @@\n-  let sum = 0;\n+  let sum = 1;\n--- /dev/null\n+++ b/src/new.ts\n@@ -0,0 +1,1 @@\n+export {};\n`,
        perFileResults: [{ path: "src/total.ts" }, { path: "src/new.ts" }],
      },
    },
    failed: "The patch has no `*** End Patch` row.",
  },
  {
    name: "edit",
    variant: "edit-replace",
    arguments: {
      path: "src/total.ts",
      edits: [{ oldText: "let sum = 0;", newText: "let sum = 1;" }],
    },
    written: { path: "src/total.ts", edits: [{ oldText: "let sum = 0;\nfor", newText: "let su" }] },
    done: { text: "src/total.ts:\n 4:head\n-5:  let sum = 0;\n+5:  let sum = 1;" },
    failed: "The text is there twice: say more of it.",
  },
];
