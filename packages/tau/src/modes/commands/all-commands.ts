// Every command that there may be: the front-ends' own and those of all built-in features, whether they
// are on or not. For the reference and for the laws that hold for commands.

import { BUILT_IN } from "../../features/built-in.ts";
import type { Command } from "./command.ts";
import { withCommandsOf } from "./command-list.ts";

export const ALL_COMMANDS: readonly Command[] = withCommandsOf(
  BUILT_IN.flatMap(({ commands = [] }) => commands),
);
