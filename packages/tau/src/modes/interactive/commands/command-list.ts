// Every command of the interactive mode, in the order in which help shows them. What is heavy is
// imported by the command that needs it.

import { LINE_COMMANDS } from "../../line-commands.ts";
import {
  runSessionCommand,
  type CommandPlace,
  type SessionCommand,
} from "../../../session/session-command.ts";
import type { AppContext } from "../app-context.ts";
import type { AppCommand } from "./app-command.ts";
import { helpText } from "./help-text.ts";
import { LOOK_COMMANDS } from "./look-commands.ts";
import { MODEL_COMMANDS } from "./model-commands.ts";
import { PLACE_COMMANDS } from "./place-commands.ts";
import { SESSION_COMMANDS } from "./session-commands.ts";

/** Those that say everything with words work the same on any front-end. */
const SHARED: readonly AppCommand[] = LINE_COMMANDS.filter(
  ({ name }) => !["help", "resume", "model", "thinking"].includes(name),
).map(({ name, argument, help, run }) => ({
  name,
  help,
  argument,
  aliases: name === "new" ? ["clear"] : undefined,
  run: (app, given) => run(app.active, given),
}));

/** About the conversation; those of features follow them. */
const FIRST: readonly AppCommand[] = [
  {
    name: "help",
    help: "show this help",
    when: "any",
    run: async (app) => helpText(commandsOf(app), app.surface.bindings),
  },
  ...SHARED,
  ...PLACE_COMMANDS,
  ...MODEL_COMMANDS,
  ...SESSION_COMMANDS,
];

/** About Tau itself. */
const LAST: readonly AppCommand[] = [
  ...LOOK_COMMANDS,
  {
    name: "exit",
    aliases: ["quit"],
    help: "quit",
    when: "any",
    run: async (app) => {
      app.leave();
      return undefined;
    },
  },
];

/** The mode's own, and those of these features. */
export function withCommandsOf(brought: readonly SessionCommand[]): readonly AppCommand[] {
  return [...FIRST, ...brought.map(fromFeature), ...LAST];
}

/** Those that there are in the session that is open. */
export function commandsOf(app: AppContext): readonly AppCommand[] {
  return withCommandsOf(app.isOpen ? app.active.session.commands : []);
}

function fromFeature(command: SessionCommand): AppCommand {
  const { complete } = command;
  return {
    ...command,
    complete: complete && ((app, typed) => complete.call(command, placeOf(app), typed)),
    run: (app, argument) => runSessionCommand({ command, argument }, placeOf(app)),
  };
}

function placeOf(app: AppContext): CommandPlace {
  return {
    session: app.active.session,
    editText: async (text) => {
      const { editOutside } = await import("../external-editor.ts");
      return editOutside(text, app);
    },
  };
}
