// Sample calls for the gallery: commands.

import type { SampleCall } from "../../feature-api/sample-call.ts";

const TEST_OUTPUT = Array.from(
  { length: 24 },
  (_, at) => `ok ${at + 1} - adds ${at} and ${at + 1} (${(at % 7) + 1} ms)`,
).join("\n");

export const SAMPLES: readonly SampleCall[] = [
  {
    name: "bash",
    arguments: { command: "npm test -- --bail 2>&1 | tail -40" },
    written: { command: "npm test -- --ba" },
    output: `${TEST_OUTPUT}\n\x1b[32m25 tests\x1b[0m 10%\r25 tests 96%`,
    done: { text: TEST_OUTPUT, details: { exitCode: 0, signal: null, cwd: "/home/me/shop" } },
    failed: `${TEST_OUTPUT}\nnot ok 25 - keeps cents\n[exit code 1]`,
  },
  {
    name: "bash",
    variant: "bash-script",
    arguments: {
      command: 'set -eu\nfor name in one two; do\n  echo "$name" >> list.txt\ndone\ncat list.txt',
      cwd: "/home/me/shop/data",
    },
    written: { command: "set -eu\nfor name in one two; do\n  echo" },
    output: "one\n",
    done: { text: "It continues as job bg_1.", details: { jobId: "bg_1" } },
    failed: "The directory data does not exist.",
  },
];
