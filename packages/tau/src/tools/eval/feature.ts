// Eval: cells of Python and JavaScript that share what they define, the model's and the user's own.

import type { Feature } from "../../feature-api/feature.ts";
import { EVAL_ROWS, PYTHON_ROWS } from "./settings.ts";

export const evaluate: Feature = {
  name: "eval",
  settings: [EVAL_ROWS, PYTHON_ROWS],
  variables: {
    TAU_PY: { type: "boolean", help: "Enable Python cells", setting: "eval.py" },
    TAU_JS: { type: "boolean", help: "Enable JavaScript cells", setting: "eval.js" },
  },
  tools: ["eval"],
  lines: [
    {
      sign: "$",
      label: "code",
      border: "pythonMode",
      stops: "stops the cell",
      // Not any text that begins with a dollar: an amount, a variable, a template.
      matches: (line) => /^\$(?:py|js)?(?:\s|$)/.test(line),
      run: async (place, line) => (await import("./cell-line.ts")).runCellLine(place, line),
    },
  ],
  isOn: ({ settings }) => {
    const { py, js } = settings.group(EVAL_ROWS);
    return py || js;
  },
  setup: async (host) => (await import("./setup.ts")).setUpEval(host),
  terminal: () => import("./terminal.ts"),
};
