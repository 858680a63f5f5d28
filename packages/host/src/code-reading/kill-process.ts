// Signals to processes, in either language.

import type { Handler } from "./code-language.ts";
import { DATA, first, optionsOf } from "./code-value.ts";

/** Processes that are not the code's own. */
const OTHERS = "ends processes that it has not started";
export const PARENT = "parent process";

export const killed: Handler = (reader, given) => {
  for (const pid of optionsOf(first(given))) {
    const isParent = pid.kind === "made" && pid.by === PARENT;
    if (isParent || (pid.kind === "number" && pid.value !== undefined && pid.value <= 1))
      reader.acts.critical(OTHERS);
  }
  return DATA;
};

/** `docker.errors`, `p.kill()` for every process. */
export const killsAll: Handler = (reader) => (reader.acts.critical(OTHERS), DATA);
