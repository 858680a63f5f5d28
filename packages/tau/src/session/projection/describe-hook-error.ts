// What a person is told if a behaviour could not do its part: the sentence alone if it is theirs to
// mend, otherwise who failed, and where, because that is a bug.

import type { HookErrorEvent } from "@tau/agent/event";
import { UserError } from "../../user-error.ts";
import { errorPlace } from "./error-place.ts";

export interface HookErrorNote {
  text: string;
  tone: "warning" | "error";
}

export function describeHookError({ behaviour, hook, error }: HookErrorEvent): HookErrorNote {
  if (error instanceof UserError) return { text: error.message, tone: "warning" };
  const place = errorPlace(error);
  const where = place === undefined ? "" : ` (${place})`;
  return { text: `${behaviour} failed at ${hook}: ${wordsFor(error)}${where}`, tone: "error" };
}

/** Anything can be thrown, also what has no words. */
function wordsFor(error: unknown): string {
  try {
    return String(error);
  } catch {
    return "it threw something that cannot be described";
  }
}
