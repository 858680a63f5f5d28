// Every program whose doings are known, by name. To teach Tau another one, add a row to the table
// of its kind.

import type { ProgramJudge } from "../command-call.ts";
import { withHiddenPaths } from "../judge-hidden-paths.ts";
import { ARCHIVE_PROGRAMS } from "./archive-programs.ts";
import { COMMAND_LANGUAGES } from "./command-languages.ts";
import { CRITICAL_PROGRAMS } from "./critical-programs.ts";
import { DATABASE_PROGRAMS } from "./database-programs.ts";
import { FAMILIAR_PROGRAMS } from "./familiar-programs.ts";
import { FILE_PROGRAMS } from "./file-programs.ts";
import { FIND_PROGRAMS } from "./find-program.ts";
import { GIT_PROGRAMS } from "./git-program.ts";
import { INTERPRETER_PROGRAMS } from "./inline-code.ts";
import { LOOKING_PROGRAMS } from "./looking-tools.ts";
import { NETWORK_PROGRAMS } from "./network-programs.ts";
import { OTHER_SHELLS } from "./other-shells.ts";
import { OUTPUT_PROGRAMS } from "./output-programs.ts";
import { READ_ONLY_PROGRAMS } from "./read-only-programs.ts";
import { SCRIPT_PROGRAMS } from "./script-programs.ts";
import { SHELL_BUILTINS } from "./shell-builtins.ts";
import { OWN_PROGRAMS } from "./tau-program.ts";
import { TEXT_PROGRAMS } from "./text-programs.ts";
import { TOOL_PROGRAMS } from "./tool-programs.ts";
import { WRAPPER_PROGRAMS } from "./wrapper-programs.ts";

/** Nobody has modelled all of their options. */
function watched(programs: ReadonlyMap<string, ProgramJudge>): [string, ProgramJudge][] {
  return [...programs].map(([name, judge]) => [name, withHiddenPaths(judge)]);
}

const TABLES: ReadonlyMap<string, ProgramJudge> = new Map([
  ...watched(FAMILIAR_PROGRAMS),
  ...watched(OUTPUT_PROGRAMS),
  ...READ_ONLY_PROGRAMS,
  ...FILE_PROGRAMS,
  ...ARCHIVE_PROGRAMS,
  ...FIND_PROGRAMS,
  ...TEXT_PROGRAMS,
  ...watched(GIT_PROGRAMS),
  ...watched(NETWORK_PROGRAMS),
  ...DATABASE_PROGRAMS,
  ...watched(TOOL_PROGRAMS),
  ...CRITICAL_PROGRAMS,
  ...LOOKING_PROGRAMS,
  ...watched(SCRIPT_PROGRAMS),
  ...INTERPRETER_PROGRAMS,
  ...OTHER_SHELLS,
  ...WRAPPER_PROGRAMS,
  ...OWN_PROGRAMS,
  ...SHELL_BUILTINS,
]);

/** What is known of its options and its own language comes first. */
export const PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map([
  ...TABLES,
  ...[...COMMAND_LANGUAGES].flatMap(([name, rows]): [string, ProgramJudge][] => {
    const own = TABLES.get(name);
    if (!own) return [];
    const judge: ProgramJudge = (call) => {
      for (const row of rows) row(call);
      return own(call);
    };
    return [[name, judge]];
  }),
]);
