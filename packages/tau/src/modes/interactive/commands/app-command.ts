// A command of the interactive mode: a line that begins with a slash and is no word to the model.

import type { AppContext } from "../app-context.ts";

export interface AppCommand {
  name: string;
  aliases?: readonly string[];
  /** What follows the name, for help and completion. */
  argument?: string;
  help: string;
  /** Waits until nothing runs, unless it can be done meanwhile. */
  when?: "idle" | "any";
  /** Offers for what follows. */
  complete?(app: AppContext, typed: string): readonly string[] | Promise<readonly string[]>;
  /** What to say about it when it is done; nothing where it has shown something itself. */
  run(app: AppContext, argument: string): Promise<string | undefined>;
}
