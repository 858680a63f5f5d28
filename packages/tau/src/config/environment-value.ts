// Variables that are switches, with one spelling of yes and no for all of them.

import type { Environment } from "@tau/ai/environment";
import type { ENVIRONMENT, VariableRow } from "./environment-table.ts";
import { parseBoolean } from "./setting-value.ts";

type SwitchIn<R> = {
  [K in keyof R]: R[K] extends VariableRow & { type: "boolean" } ? K & string : never;
}[keyof R];

/**
 * One of Tau's own switches; of a feature's, `isSwitchedOn<typeof ITS_VARIABLES>(…)`. What is neither
 * yes nor no is as good as unset; the front door has said so.
 */
export function isSwitchedOn<R = typeof ENVIRONMENT>(env: Environment, name: SwitchIn<R>): boolean {
  return parseBoolean(env[name] ?? "") ?? false;
}
