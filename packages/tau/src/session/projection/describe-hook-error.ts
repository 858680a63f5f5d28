// What a person is told if a behaviour could not do its part: the sentence alone if it is theirs to
// mend, otherwise who failed, and where, because that is a bug.

import type { HookErrorEvent } from "@tau/agent/event";
import { UserError } from "../../user-error.ts";

export interface HookErrorNote {
  text: string;
  tone: "warning" | "error";
}

export function describeHookError({ behaviour, hook, error }: HookErrorEvent): HookErrorNote {
  if (error instanceof UserError) return { text: error.message, tone: "warning" };
  return { text: `${behaviour} failed at ${hook}: ${String(error)}`, tone: "error" };
}
