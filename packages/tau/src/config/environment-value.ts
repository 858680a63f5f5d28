// Variables that are switches, with one spelling of yes and no for all of them.

import type { Environment } from "@tau/ai/environment";
import type { ENVIRONMENT, VariableName } from "./environment-table.ts";
import { parseBoolean } from "./setting-value.ts";

type SwitchName = {
  [K in VariableName]: (typeof ENVIRONMENT)[K]["type"] extends "boolean" ? K : never;
}[VariableName];

/** What is neither yes nor no is as good as unset; the front door has said so. */
export function isSwitchedOn(env: Environment, name: SwitchName): boolean {
  return parseBoolean(env[name] ?? "") ?? false;
}
