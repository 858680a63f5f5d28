// A limit in words, for the line that says why a run ended early.

import type { RunEnd } from "@tau/agent/event";

export function describeLimit({ kind, limit }: Extract<RunEnd, { reason: "limit" }>): string {
  // A behaviour gives its own reason; all others name an amount.
  return kind === "behaviour" ? `stopped by ${limit}` : `stopped at the limit of ${limit}`;
}
