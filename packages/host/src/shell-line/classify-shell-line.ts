// What a command line would do, told from its text alone, before anybody runs it. Whoever grants
// permission asks this; it errs on the side of asking.

import { classOf, guardedReasons, unknownReasons, worst } from "./command-effects.ts";
import type { CommandEffects, LineClass } from "./command-effects.ts";
import { LineWalker } from "./line-walker.ts";
import { parseShellLine } from "./parse-shell-line.ts";
import type { LeftByLines, ShellContext } from "./shell-context.ts";
import { initialState } from "./shell-state.ts";

const UNKNOWN: LineClass = "unknown";

/** More than a person reads; how many were left out is said. */
const MAX_REASONS = 8;

/** `IFS=$OLDIFS` at the end, or only inside of a function or a substitution. */
const RESTORES_IFS = /\bIFS=(["']?)\$\{?\w*IFS\w*\}?\1\s*(?:[;&)}\n]|$)|\bunset IFS\b/;

export interface LineJudgement {
  class: LineClass;
  /** Why it is guarded or unknown, as a clause: "deletes /etc", "what it deletes cannot be determined". */
  reason: string | undefined;
  /** Every reason, what is guarded before what is unknown; at most eight and how many there are more. */
  reasons: string[];
  /** In the order in which they were met; a line of none does nothing. */
  commands: CommandEffects[];
  /** Files that it fetches from the network; running them later is running a download. */
  downloaded: string[];
  /** Why it is not a command line, or not one that can be read here. */
  unreadable: string | undefined;
  /** Files whose text it writes; running them later is running what nobody has read. */
  written: string[];
  /** What later lines have to know. */
  left: LeftByLines;
}

export function classifyShellLine(text: string, context: ShellContext): LineJudgement {
  const walker = new LineWalker(context);
  walker.runLine(parseShellLine(text), initialState(context));
  const commands = walker.allEffects();
  const leaving = leavingReasons(commands);
  const guarded = [...new Set([...commands.flatMap(guardedReasons), ...leaving])];
  const { exceeded } = walker.bounds;
  const unknown = [
    ...new Set([
      ...(exceeded === undefined ? [] : [exceeded]),
      ...commands.flatMap(unknownReasons),
    ]),
  ];
  const found = worst([...commands.map(classOf), ...(exceeded === undefined ? [] : [UNKNOWN])]);
  const overall = leaving.length > 0 ? "guarded" : found;
  const reasons = atMost([...guarded, ...unknown]);
  return {
    class: overall,
    reason: reasons[0],
    reasons,
    commands,
    downloaded: [...walker.downloaded],
    written: [...walker.written.keys()],
    unreadable: walker.unreadable,
    left: {
      isSplittingOdd: walker.isSplittingOdd && !RESTORES_IFS.test(text),
      remotes: walker.remotes,
      kept: walker.kept,
      carried: walker.carried,
    },
  };
}

/** One command reads a secret, another one can send it. */
function leavingReasons(commands: readonly CommandEffects[]): string[] {
  if (!commands.some(({ sends }) => sends)) return [];
  return commands.flatMap(({ readsSecrets }) => readsSecrets.map((what) => `may send ${what}`));
}

function atMost(reasons: string[]): string[] {
  if (reasons.length <= MAX_REASONS) return reasons;
  return [...reasons.slice(0, MAX_REASONS), `${reasons.length - MAX_REASONS} more`];
}
