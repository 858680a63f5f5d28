// Every slash command, in the order in which help shows them. What is heavy is imported by the command
// that needs it.

import type { ActiveSession } from "../../assembly/active-session.ts";
import type { SessionCommand } from "../../session/session-command.ts";
import type { Command, FrontEnd } from "./command.ts";
import { AGENT_COMMANDS } from "./agent-commands.ts";
import { CONVERSATION_COMMANDS } from "./conversation-commands.ts";
import { EXTENSION_COMMANDS } from "./extension-commands.ts";
import { helpText } from "./help-text.ts";
import { LOOK_COMMANDS } from "./look-commands.ts";
import { MODEL_COMMANDS } from "./model-commands.ts";
import { PLACE_COMMANDS } from "./place-commands.ts";
import { SESSION_COMMANDS } from "./session-commands.ts";

/** About the conversation; those of features follow them. */
const FIRST: readonly Command[] = [
  {
    name: "help",
    help: "show this help",
    when: "any",
    run: async (front) => helpText(commandsOf(front.active), front),
  },
  ...CONVERSATION_COMMANDS,
  ...PLACE_COMMANDS,
  ...MODEL_COMMANDS,
  ...SESSION_COMMANDS,
  ...AGENT_COMMANDS,
];

/** About Tau itself. */
const LAST: readonly Command[] = [
  ...EXTENSION_COMMANDS,
  ...LOOK_COMMANDS,
  {
    name: "exit",
    aliases: ["quit"],
    help: "quit",
    when: "any",
    screen: async (app) => {
      app.leave();
      return undefined;
    },
  },
];

/** The front-ends' own, and those of these features. */
export function withCommandsOf(brought: readonly SessionCommand[]): readonly Command[] {
  return [...FIRST, ...brought.map(fromFeature), ...LAST];
}

/** Those that there are in the session that is open. */
export function commandsOf({ session }: Pick<ActiveSession, "session">): readonly Command[] {
  return withCommandsOf(session.commands);
}

function fromFeature(command: SessionCommand): Command {
  const { complete } = command;
  return {
    ...command,
    complete: complete && ((front, typed) => complete.call(command, placeOf(front), typed)),
    run: (front, argument) => command.run(placeOf(front), argument),
  };
}

function placeOf({ active, app }: FrontEnd) {
  const editText = async (text: string): Promise<string | undefined> => {
    const { editOutside } = await import("../interactive/external-editor.ts");
    return editOutside(text, app!);
  };
  return { session: active.session, editText: app && editText };
}
