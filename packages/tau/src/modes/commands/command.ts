// A slash command as all front-ends have it: terminal, plain lines, print mode, RPC. It is defined once;
// what it can do with words alone it does everywhere, and a terminal that can draw may do it better.

import type { ActiveSession } from "../../assembly/active-session.ts";
import type { SessionCommand } from "../../session/session-command.ts";
import type { AppContext } from "../interactive/app-context.ts";

/** Where a command was given. */
export interface FrontEnd {
  readonly active: ActiveSession;
  /** `anyone`: it came as a prompt, which may be a chat that is passed on, or a script's input. */
  readonly by: "person" | "anyone";
  /** The interactive mode, if this is one. */
  readonly app?: AppContext;
}

export interface Command extends Pick<
  SessionCommand,
  "name" | "aliases" | "argument" | "help" | "from" | "when" | "isLong"
> {
  /** Offers for what follows the name. */
  complete?(front: FrontEnd, typed: string): readonly string[] | Promise<readonly string[]>;
  /** What to say when it is done. Without it, the command needs a terminal that can draw. */
  run?(front: FrontEnd, argument: string): Promise<string | undefined>;
  /** Instead, in such a terminal: nothing to say if it has shown something itself. */
  screen?(app: AppContext, argument: string): Promise<string | undefined>;
}
