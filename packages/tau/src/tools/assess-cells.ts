// What code cells are about, for whoever gives consent: each cell by its language and its code, so
// that a rule for one fits it again whatever title or deadline it comes with.

import type { CallAssessment } from "@tau/agent/tool";

interface CellParams {
  cells: readonly { language: string; code: string }[];
}

export function assessCells(params: unknown): CallAssessment {
  const { cells } = params as CellParams;
  const subjects = cells.map(({ language, code }) => `${language}: ${code.trim()}`);
  return { tier: "exec", subjects: [...new Set(subjects)] };
}
