// Every command of the interactive mode, in the order in which help shows them. What is heavy is
// imported by the command that needs it.

import { LINE_COMMANDS } from "../../line-commands.ts";
import type { AppCommand } from "./app-command.ts";
import { helpText } from "./help-text.ts";
import { LOOK_COMMANDS } from "./look-commands.ts";
import { MODEL_COMMANDS } from "./model-commands.ts";
import { PLACE_COMMANDS } from "./place-commands.ts";
import { SESSION_COMMANDS } from "./session-commands.ts";
import { TODO_COMMANDS } from "./todo-commands.ts";

/** Those that say everything with words work the same on any front-end. */
const SHARED: readonly AppCommand[] = LINE_COMMANDS.filter(
  ({ name }) => !["help", "resume", "model", "thinking", "todo"].includes(name),
).map(({ name, argument, help, run }) => ({
  name,
  help,
  ...(argument === undefined ? {} : { argument }),
  ...(name === "new" ? { aliases: ["clear"] } : {}),
  run: (app, given) => run(app.active, given),
}));

export const APP_COMMANDS: readonly AppCommand[] = [
  {
    name: "help",
    help: "this text",
    when: "any",
    run: async (app) => helpText(APP_COMMANDS, app.surface.bindings),
  },
  ...SHARED,
  ...PLACE_COMMANDS,
  ...MODEL_COMMANDS,
  ...SESSION_COMMANDS,
  ...TODO_COMMANDS,
  ...LOOK_COMMANDS,
  {
    name: "exit",
    aliases: ["quit"],
    help: "leave",
    when: "any",
    run: async (app) => {
      app.leave();
      return undefined;
    },
  },
];
