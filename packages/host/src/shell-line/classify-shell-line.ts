// What a command line would do, told from its text alone, before anybody runs it. Whoever grants
// permission asks this; it errs on the side of asking.

import { classOf, guardedReason, unknownReason, worst } from "./command-effects.ts";
import type { CommandEffects, LineClass } from "./command-effects.ts";
import { LineWalker } from "./line-walker.ts";
import { parseShellLine } from "./parse-shell-line.ts";
import type { ShellContext } from "./shell-context.ts";
import { initialState } from "./shell-state.ts";

export interface LineJudgement {
  class: LineClass;
  /** Why it is guarded or unknown, as a clause: "deletes /etc", "what it deletes cannot be determined". */
  reason: string | undefined;
  /** In the order in which they were met; a line of none does nothing. */
  commands: CommandEffects[];
}

export function classifyShellLine(text: string, context: ShellContext): LineJudgement {
  const walker = new LineWalker(context);
  walker.runLine(parseShellLine(text), initialState(context));
  const commands = walker.allEffects();
  const overall = worst(commands.map(classOf));
  const describe = overall === "guarded" ? guardedReason : unknownReason;
  const reason = commands.map(describe).find((each) => each !== undefined);
  return { class: overall, reason, commands };
}
