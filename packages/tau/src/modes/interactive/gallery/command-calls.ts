// Sample calls of what runs: commands here and elsewhere, cells, jobs, and a tool nobody knows.

import type { SampleCall } from "./sample-call.ts";

const TEST_OUTPUT = Array.from(
  { length: 24 },
  (_, at) => `ok ${at + 1} - adds ${at} and ${at + 1} (${(at % 7) + 1} ms)`,
).join("\n");

const CHART_PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAA10dzkAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export const COMMAND_CALLS: readonly SampleCall[] = [
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
    done: { text: "It goes on as job bg_1.", details: { jobId: "bg_1" } },
    failed: "The directory data does not exist.",
  },
  {
    name: "ssh",
    arguments: { host: "build-1", command: "systemctl status nginx", cwd: "/srv" },
    written: { host: "build-1", command: "system" },
    output: "● nginx.service - a web server\n",
    done: {
      text: "● nginx.service - a web server\n   Active: active (running)",
      details: { host: "build-1", exitCode: 0 },
    },
    failed: "no such unit\n[exit code 4]",
  },
  {
    name: "eval",
    arguments: {
      cells: [
        {
          language: "py",
          title: "Load the prices",
          code: "import csv\nrows = list(csv.reader(open('p.csv')))\nlen(rows)",
        },
        { language: "js", code: "const chart = draw([1, 2, 3]); // by month\nchart" },
      ],
    },
    written: { cells: [{ language: "py", code: "import csv\nrows = list(csv.rea" }] },
    output: "[1/2] Load the prices\n120\n",
    done: {
      text: "[1/2] Load the prices\n120\n[2/2]\n[image 1]",
      images: [{ type: "image", mimeType: "image/png", data: CHART_PNG }],
      details: {
        languages: ["py", "js"],
        cells: [
          {
            language: "py",
            title: "Load the prices",
            code: "import csv\nrows = list(csv.reader(open('p.csv')))\nlen(rows)",
            status: "complete",
            output: "120",
            durationMs: 130,
          },
          {
            language: "js",
            code: "const chart = draw([1, 2, 3]); // by month\nchart",
            status: "complete",
            output: "[image 1]",
            durationMs: 42,
          },
        ],
      },
    },
    failed:
      "[1/2] Load the prices\nTraceback: no file p.csv\n[cell 1 of 2: FileNotFoundError: p.csv; the cell after it did not run]",
  },
  {
    name: "job",
    arguments: { poll: ["bg_1", "bg_12"] },
    written: { poll: ["bg_1"] },
    output: "bg_1 (running, 3.0 s): npm run dev\nbg_12 (running, 61.2 s): cargo build",
    done: {
      text: "## Ended (1)\nbg_12 (completed, 64.0 s): cargo build\nFinished",
      details: {
        jobs: [
          { id: "bg_1", type: "bash", status: "running", label: "npm run dev", durationMs: 5800 },
          {
            id: "bg_12",
            type: "bash",
            status: "completed",
            label: "cargo build --release",
            durationMs: 64_000,
            resultText: "   Compiling shop v0.1.0\n    Finished in 63.7 s",
          },
          {
            id: "bg_13",
            type: "bash",
            status: "failed",
            label: "make",
            durationMs: 200,
            errorText: "make: no rule\n[exit code 2]",
          },
        ],
      },
    },
    failed: "list goes alone: leave out poll and cancel.",
  },
  {
    name: "weather_lookup",
    variant: "unknown-tool",
    arguments: { city: "Zürich", days: 3, options: { units: "metric", hourly: false } },
    written: { city: "Zü" },
    output: "asking\n",
    done: { text: "Monday: rain\nTuesday: rain\nWednesday: sun" },
    failed: "There is no such city.\nSay it in another way.",
  },
];
