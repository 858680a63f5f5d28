// Sample calls of what looks for things, and of rewrites by structure.

import type { SampleCall } from "./sample-call.ts";

const MATCHES = `¶src/total.ts#F1Y4
 3:/** Of all prices, in cents. */
*4:export function total(prices: number[]): number {
 5:  let sum = 0;
…
*30:  return total([]);

¶test/total.test.ts#A1B2
*2:import { total } from "../src/total";
*8:  expect(total([1, 2])).toBe(3);
*9:  expect(total([])).toBe(0);
*10:  expect(total([5])).toBe(5);`;

const REWRITE = `¶src/log.ts#F1Y4
 1:import { log } from "./log";
-2:console.log(message);
+2:log.info(message);

¶src/main.ts#B2C3
-7:console.log("started", port);
+7:log.info("started", port);

2 replacements in 2 files (14 files searched).

Nothing is written yet. Call resolve to apply or discard it (preview-1).`;

export const SEARCH_CALLS: readonly SampleCall[] = [
  {
    name: "search",
    arguments: { pattern: "total\\(", paths: ["src", "test"], i: true },
    written: { pattern: "tot" },
    done: {
      text: MATCHES,
      details: { fileCount: 2, matchCount: 6, totals: { matches: 6, files: 2 } },
    },
    failed: "The pattern is no regular expression: unclosed group.",
  },
  {
    name: "search",
    variant: "search-nothing",
    arguments: { pattern: "nowhere", paths: "." },
    written: {},
    done: {
      text: "No matches found",
      details: { fileCount: 0, matchCount: 0, totals: { matches: 0, files: 0 } },
    },
    failed: "It took too long.",
  },
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
