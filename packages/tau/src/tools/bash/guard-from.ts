// Why a command line asks, in one clause.

import type { LineJudgement } from "@tau/host/shell-line/classify-shell-line";

/** Every reason: whoever agrees must know to what. */
export function guardFrom({ class: found, reasons }: LineJudgement): string {
  const all = reasons.join("; ");
  return found === "guarded" ? all : `cannot be judged: ${all}`;
}
