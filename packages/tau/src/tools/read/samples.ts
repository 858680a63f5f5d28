// Sample calls for the gallery: reading.

import type { SampleCall } from "../../feature-api/sample-call.ts";

const LISTING = `¶src/total.ts#F1Y4
1:import { read } from "./disk";
2:
3:/** Of all prices, in cents. */
4:export function total(prices: number[]): number {
5:  let sum = 0;
6:  for (const price of prices) sum += price;
7:  return sum;
8:}`;

export const SAMPLES: readonly SampleCall[] = [
  {
    name: "read",
    arguments: { path: "/home/me/shop/src/total.ts:1-8" },
    written: { path: "/home/me/shop/sr" },
    done: { text: LISTING, details: { lines: 60, shown: [{ first: 1, last: 8 }] } },
    failed: "src/totl.ts does not exist. Did you mean src/total.ts?",
  },
  {
    name: "read",
    variant: "read-directory",
    arguments: { path: "." },
    written: {},
    done: {
      text: "src/\n  total.ts\n  disk.ts\nREADME.md",
      details: { isDirectory: true, entries: 4, isCut: false },
    },
    failed: "It may not be read.",
  },
];
