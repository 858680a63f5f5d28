// All familiar programs. A program that is in no table at all asks in `auto`, so these lists are wide;
// to add one, put its name into the list of its kind.

import type { ProgramJudge } from "../command-call.ts";
import { FAMILIAR_JAVASCRIPT } from "./familiar-javascript.ts";
import { FAMILIAR_NATIVE } from "./familiar-native.ts";
import { rowsOf } from "./familiar-row.ts";
import { FAMILIAR_SCRIPTING } from "./familiar-scripting.ts";
import { FAMILIAR_SERVICES } from "./familiar-services.ts";
import { FAMILIAR_SYSTEM } from "./familiar-system.ts";

export const FAMILIAR_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map([
  ...rowsOf(FAMILIAR_SYSTEM),
  ...rowsOf(FAMILIAR_NATIVE),
  ...rowsOf(FAMILIAR_SCRIPTING),
  ...rowsOf(FAMILIAR_JAVASCRIPT),
  ...rowsOf(FAMILIAR_SERVICES),
]);
