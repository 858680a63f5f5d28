// The question before anything of a plugin may run: at a terminal, or answered with --yes.

import { CannotAsk } from "@tau/ai/oauth/oauth";
import { isTerminal } from "../../base/is-terminal.ts";
import { askLine, Interrupted } from "../../credentials/ask-line.ts";
import { shownText } from "../../discovery/shown-text.ts";
import { UserError } from "../../user-error.ts";
import type { PluginCommand } from "./plugin-place.ts";

/** Throws if nobody says yes; `done` is what was not done then. */
export async function agreed(
  { isAgreed }: Pick<PluginCommand, "isAgreed">,
  question: string,
  done = "installed",
): Promise<void> {
  if (isAgreed) return;
  const refused = new UserError(`nobody can be asked here, so nothing was ${done}; add --yes`);
  if (!isTerminal(0) || !isTerminal(1)) throw refused;
  try {
    const terminal = { input: process.stdin, output: process.stdout };
    const answer = await askLine(`\n${shownText(question)} [y/N]`, { secret: false }, terminal);
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new UserError(`nothing was ${done}`);
  } catch (error) {
    if (error instanceof Interrupted) throw new UserError(`nothing was ${done}`);
    if (error instanceof CannotAsk) throw refused;
    throw error;
  }
}
