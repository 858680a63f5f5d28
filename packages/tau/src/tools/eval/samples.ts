// Sample calls for the gallery: code cells.

import type { SampleCall } from "../../feature-api/sample-call.ts";

const CHART_PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAA10dzkAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export const SAMPLES: readonly SampleCall[] = [
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
];
