// Sample calls for the gallery: searching.

import type { SampleCall } from "../../feature-api/sample-call.ts";

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

export const SAMPLES: readonly SampleCall[] = [
  {
    name: "search",
    arguments: { pattern: "total\\(", paths: ["src", "test"], i: true },
    written: { pattern: "tot" },
    done: {
      text: MATCHES,
      details: { fileCount: 2, matchCount: 6, totals: { matches: 6, files: 2 } },
    },
    failed: "The pattern is not a regular expression: unclosed group.",
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
];
