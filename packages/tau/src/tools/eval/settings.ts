// The settings of code cells.

import { defaultsOf, settingGroup, type GroupValues } from "../../config/setting-group.ts";
import { flag, oneOf, text } from "../../config/setting.ts";

export const KERNEL_MODES = ["session", "per-call"] as const;

export const EVAL_ROWS = settingGroup("eval", "Code cells", {
  py: flag(true, "Whether the model may run Python cells", {
    guards: { kind: "tool", closed: false },
  }),
  js: flag(true, "Whether the model may run JavaScript cells", {
    guards: { kind: "tool", closed: false },
  }),
});

export const PYTHON_ROWS = settingGroup("python", "Python cells", {
  interpreter: text("", "Python interpreter; if unset, the virtual environment's or the system's", {
    // It decides what is run.
    scope: "user",
    guards: { kind: "tool", tool: "eval" },
  }),
  kernelMode: oneOf(
    KERNEL_MODES,
    "session",
    "Kernel lifetime: one for the whole session, or a fresh one for every call",
  ),
});

export interface EvalSettings {
  eval: GroupValues<typeof EVAL_ROWS>;
  python: GroupValues<typeof PYTHON_ROWS>;
}

export const DEFAULT_EVAL_SETTINGS: EvalSettings = {
  eval: defaultsOf(EVAL_ROWS),
  python: defaultsOf(PYTHON_ROWS),
};
