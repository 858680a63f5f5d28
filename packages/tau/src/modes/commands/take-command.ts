// What becomes of a line that begins with a slash, on every front-end: a command runs, and what it says
// is told and kept by the session; a name that nobody knows is refused; everything else is words to the
// model.

import { AVAILABLE } from "../../context/available-instructions.ts";
import { EXIT } from "../../exit-code.ts";
import { tellCommand } from "../../session/session-command.ts";
import { UserError } from "../../user-error.ts";
import type { FrontEnd } from "./command.ts";
import { commandsOf } from "./command-list.ts";
import {
  findCommand,
  looksLikeCommand,
  unknownCommand,
  wordOf,
  type CalledCommand,
} from "./find-command.ts";

/** There is no command of that name. */
export class UnknownCommand extends UserError {
  constructor(message: string) {
    super(message, EXIT.usage);
  }
}

/**
 * `words`: it is not a command, or one that is kept as a file. Rejects if it is a command that fails or
 * that nobody knows; whoever watches the session has been told of that too.
 */
export async function takeCommand(front: FrontEnd, line: string): Promise<"taken" | "words"> {
  const commands = commandsOf(front.active);
  const called = findCommand(commands, line);
  if (called) {
    await runCommand(front, called);
    return "taken";
  }
  if (!looksLikeCommand(line) || (await isOwnCommand(front, wordOf(line)))) return "words";
  const unknown = new UnknownCommand(unknownCommand(commands, line, front.active.features));
  const { session } = front.active;
  session.emit({
    type: "command_output",
    name: wordOf(line),
    text: unknown.message,
    isError: true,
  });
  throw unknown;
}

async function runCommand(
  front: FrontEnd,
  { command, word, argument }: CalledCommand,
): Promise<void> {
  const { active, app, by } = front;
  const { name, isLong } = command;
  const line = `/${word} ${argument}`.trim();
  await tellCommand(active, { name, line, isLong }, async () => {
    if (command.from === "person" && by !== "person") {
      throw new UserError(`/${word} is for a person at a terminal, not for a prompt`, EXIT.usage);
    }
    if (command.when !== "any" && active.session.isBusy) {
      const how = app ? "; Esc interrupts it" : "";
      throw new UserError(`/${word} works once the answer is done${how}`);
    }
    if (app && command.screen) return command.screen(app, argument);
    if (!command.run) {
      const message = `/${word} needs a full terminal: it does not work with -p, in RPC mode or with TERM=dumb`;
      throw new UserError(message, EXIT.usage);
    }
    return command.run(front, argument);
  });
}

/** One that is kept as a file, which may have been made a moment ago. */
async function isOwnCommand({ active }: FrontEnd, name: string): Promise<boolean> {
  const instructions = active.part(AVAILABLE);
  const isKnown = (): boolean =>
    instructions?.current.some((one) => one.name === name || one.alias === name) === true;
  if (!instructions || isKnown()) return isKnown();
  await instructions.refresh();
  return isKnown();
}
