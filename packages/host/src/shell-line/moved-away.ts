// Variables by which programs find places, set to one that is not ours: `TMPDIR=~`, `GIT_WORK_TREE=/`.

import { targetsOf, type CommandCall } from "./command-call.ts";
import type { Field } from "./field.ts";
import { isLocationVariable } from "./risky-variable.ts";

export function isMovedAway(call: CommandCall, name: string, value: Field | undefined): boolean {
  if (!isLocationVariable(name)) return false;
  const targets = value ? targetsOf(call, value) : [{ place: "unknown" }];
  return targets.some(({ place }) => place === "outside" || place === "unknown");
}
